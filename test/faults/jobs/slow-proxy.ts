/** A proxy before the server of a database. It can hold back what both sides say: a slow network, or a slow server. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { portOf } from '../../support/ports.ts'

export class SlowProxy {
  /** How long each chunk is held back, ms. */
  delayMs = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1')
      this.#pass(near, far)
      this.#pass(far, near)
    })
  }

  /** @param port of the server, on 127.0.0.1 */
  static async before(port: number): Promise<SlowProxy> {
    const proxy = new SlowProxy(port)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return portOf(this.#server)
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** In order, also where a chunk is held back for less than the one before. */
  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    let last = Promise.resolve()
    const later = (work: () => void) => {
      const at = performance.now() + this.delayMs
      last = last.then(async () => {
        const rest = at - performance.now()
        if (rest > 0) await sleep(rest)
        work()
      })
    }
    from.on('data', (chunk) => later(() => to.destroyed || to.write(chunk)))
    from.on('error', () => undefined)
    from.on('close', () => {
      this.#sockets.delete(from)
      later(() => to.destroy())
    })
  }
}
