// The runtime's worker, which also says how often it mapped a buffer, and how many bytes at most.
import '../runtime/dist/worker.js';

const mapped = { maps: 0, mostBytes: 0 };
const { mapAsync } = GPUBuffer.prototype;
GPUBuffer.prototype.mapAsync = function (mode, offset = 0, size = this.size - offset) {
    mapped.maps++;
    mapped.mostBytes = Math.max(mapped.mostBytes, size);
    return mapAsync.call(this, mode, offset, size);
};
const channel = new BroadcastChannel('mapped');
channel.onmessage = ({ data }) => {
    if (data === 'reset') mapped.maps = mapped.mostBytes = 0;
    else channel.postMessage(mapped);
};
