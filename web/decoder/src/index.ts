// Language models on WebGPU, in pages and in node.
export {
    type Ask,
    Decoder,
    type Estimate,
    GREEDY,
    type Hooks,
    type OpenOptions,
    type Piece,
    type Plans,
    type Sampling,
} from './decoder.js';
export { ModelFiles } from './files.js';
export { type Likely } from './likeliest.js';
export { type Module, ModelError } from './instance.js';
export { ApiError, type ChatChunk, type ChatCompletion, Client, type Completion } from './openai.js';
export { type Source, ofBlob, ofBytes, ofFile } from './source.js';
export { type Description, type Form } from './weights.js';
export { type Message, Words } from './words.js';
