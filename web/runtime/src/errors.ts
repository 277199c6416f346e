// What can go wrong, by the names that the C library uses (include/whorl.h).

export type Status =
    | 'WHORL_INVALID' // a call's arguments, or a plan
    | 'WHORL_SOURCE' // an assert of the program failed
    | 'WHORL_UNSUPPORTED'
    | 'WHORL_LIMIT' // over a limit of the device
    | 'WHORL_MEMORY'
    | 'WHORL_DEVICE' // no adapter, self-test failed, device lost, a WebGPU error
    | 'WHORL_TIMEOUT' // the device did not answer
    | 'WHORL_CANCELLED'
    | 'WHORL_INTERNAL'
    | 'WHORL_STOPPED'; // the time of `maxSeconds` was over

export type Stage = 'call' | 'plan' | 'device' | 'run' | 'data';

export class WhorlError extends Error {
    readonly status: Status;
    readonly stage: Stage;
    /** Devices that were lost in the run that ended so. */
    losses = 0;

    constructor(status: Status, stage: Stage, message: string) {
        super(message);
        this.name = 'WhorlError';
        this.status = status;
        this.stage = stage;
    }
}

export function invalid(stage: Stage, message: string): WhorlError {
    return new WhorlError('WHORL_INVALID', stage, message);
}
