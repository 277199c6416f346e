// Bytes that can be read in parts: a visitor's file, a kept download, memory.
export interface Source {
    /** The file's own name, without folders. */
    readonly name: string;
    readonly size: number;
    /** Bytes [from, to); `to` is at most `size`. */
    read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function ofBlob(name: string, blob: Blob): Source {
    return {
        name: baseName(name),
        size: blob.size,
        async read(from, to) {
            const bytes = new Uint8Array(await blob.slice(from, to).arrayBuffer());
            if (bytes.length !== to - from) throw new Error(`${name}: it was changed while it was read`);
            return bytes;
        },
    };
}

export const ofFile = (file: File): Source => ofBlob(file.name, file);

export function ofBytes(name: string, bytes: Uint8Array): Source {
    return {
        name: baseName(name),
        size: bytes.length,
        read: (from, to) => Promise.resolve(bytes.slice(from, to)),
    };
}
