/** What the campaign needs of a storage: where it is, and what can happen to it. */

export interface Fault {
  readonly name: string
  /** Whether what is already stored can be read meanwhile: then no reader may be refused. */
  readonly readable: boolean
  /** @param application its process id */
  strike(application: number): Promise<void> | void
  mend(application: number): Promise<void> | void
}

export interface Backend {
  readonly name: string
  /** Address of the storage. */
  readonly storage: string
  /** Address of the Redis server that instances share. */
  readonly redis?: string
  readonly faults: readonly Fault[]
  /** What of it cannot be tried on this machine. */
  readonly missing: readonly string[]
  close(): Promise<void>
}

/** A backend that this machine does not have, with the reason. */
export interface Absent {
  readonly name: string
  readonly absent: string
}
