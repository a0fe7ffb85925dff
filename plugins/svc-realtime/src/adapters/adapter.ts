/** Adapters carry messages between the instances of an application. Local subscribers never wait for them. */
export interface RealtimeAdapter {
  /** For `fastify.realtime.status()`. */
  readonly name: string
  /** False while messages do not reach other instances, or theirs do not reach this one. */
  readonly connected: boolean
  /** Messages this instance could not hand over so far. */
  readonly lost: number
  /**
   * Called once, at the end of boot. An unreachable server is no failure: it is logged, and tried again.
   *
   * @param deliver takes each message of another instance; `data` is JSON text
   */
  start(deliver: (channel: string, data: string) => void): void | Promise<void>
  /** Hands a message to the other instances; never throws, never waits. @param data JSON text */
  publish(channel: string, data: string): void
  stop(): void | Promise<void>
  /** For the health of the application: asks the server, and rejects where it does not answer. Absent: there is none. */
  check?(): Promise<unknown>
}

/** The adapter of an application that runs in one process: there is no other instance. */
export class MemoryAdapter implements RealtimeAdapter {
  readonly name = 'memory'
  readonly connected = true
  readonly lost = 0

  start(): void {
    // Nothing to connect to.
  }

  publish(): void {
    // Local subscribers have the message already.
  }

  stop(): void {
    // Nothing was opened.
  }
}
