/** Instances of one application behind a balancer, which a client takes for one. The clock of the last one is off. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backend } from '../campaign/backends/backend.ts'
import { turns } from '../campaign/health-watch.ts'
import type { Served } from '../campaign/mixed-load.ts'
import { Subject } from '../campaign/subject.ts'
import { Balancer, CHECK_MS } from './balancer.ts'

const INSTANCES = 3
const CLOCK_OFF_MS = 5_000
/** The checks of the balancer that one who leaves waits for, and some more: this machine may be busy. */
const DRAIN_MS = 10 * CHECK_MS

export class House implements Served {
  readonly instances: readonly Subject[]
  readonly #balancer: Balancer
  /** Grows where an instance is killed: a request that saw it change may lack its answer. */
  lives = 0
  /** `false` while the balancer sends requests to one that was killed: they get no answer. */
  running = true

  private constructor(instances: readonly Subject[], balancer: Balancer) {
    this.instances = instances
    this.#balancer = balancer
  }

  /** All start at once: one of them makes the tables. */
  static async open(program: string, { storage, redis }: Backend): Promise<House> {
    const settings = { storage, drainDelayMs: DRAIN_MS, ...(redis === undefined ? {} : { redis }) }
    const first = new Subject(settings)
    const others = Array.from({ length: INSTANCES - 1 }, (_, index) =>
      first.sibling(index === INSTANCES - 2 ? { clockOffMs: CLOCK_OFF_MS } : {})
    )
    const instances = [first, ...others]
    try {
      await Promise.all(instances.map((each) => each.start()))
      return new House(
        instances,
        await Balancer.start(
          program,
          instances.map(({ port }) => port)
        )
      )
    } catch (error) {
      await Promise.all(instances.map((each) => each.end('SIGKILL')))
      throw error
    }
  }

  get port(): number {
    return this.#balancer.port
  }

  /** What the processes must never have done. */
  get faults(): string[] {
    return this.instances.flatMap(({ faults }) => faults)
  }

  /** As a deployment restarts it: it is told to stop, ends by itself, and starts again. */
  async restart(instance: Subject): Promise<void> {
    const code = await instance.end('SIGTERM')
    if (code !== 0) instance.faults.push(`it stopped with exit code ${code}`)
    await this.start(instance)
  }

  async kill(instance: Subject): Promise<void> {
    this.lives += 1
    this.running = false
    await instance.end('SIGKILL')
    await sleep(3 * CHECK_MS)
    this.running = true
  }

  async start(instance: Subject): Promise<void> {
    await instance.start()
    if ((await turns(instance, 'green')) === null) instance.faults.push('it did not become ready')
    await sleep(3 * CHECK_MS)
  }

  async close(): Promise<void> {
    await Promise.all(this.instances.map((each) => each.end('SIGKILL')))
    await this.#balancer.stop()
  }
}
