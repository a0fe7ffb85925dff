/** What carries messages between the instances of an application. Local subscribers never wait for it. */

export interface RealtimeAdapter {
  /** For `fastify.realtime.status()`. */
  readonly name: string
  /** False while messages do not reach other instances, or theirs do not reach this one. */
  readonly connected: boolean
  /** Messages this instance could not hand over so far. */
  readonly lost: number
  /**
   * Called once, at the end of boot. An unreachable server is no failure: it is told, and tried again.
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
