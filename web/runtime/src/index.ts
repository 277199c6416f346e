// whorl's runtime: a plan of the compiler, run on WebGPU.
export { Breaker, type Memory, planKey } from './breaker.js';
export { RemoteDevice, type RemoteOptions, type RemoteSession, type RemoteView } from './client.js';
export { Device, type OpenOptions } from './device.js';
export { type Arrays, type NumberArray, type PlainArray, type RunResult } from './execute.js';
export { type FieldOptions, FieldView } from './field.js';
export { type Stage, type Status, WhorlError } from './errors.js';
export { type PointsOptions, PointsView } from './points.js';
export { type Needs, needsOf } from './needs.js';
export { type Plan } from './plan.js';
export { type Target } from './target.js';
export { type GridMeasured, type Measured, unmeasured } from './probe.js';
export { readPlan } from './read.js';
export { Session, type SessionOptions, type SessionRunOptions, type View, type ViewOptions } from './resident.js';
export { type GridTest, type Progress, type RunOptions, type RunStats } from './run.js';
