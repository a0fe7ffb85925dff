/** The adapter of an application that runs in one process: there is nobody else to tell. */
import type { RealtimeAdapter } from './adapter.ts'

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
