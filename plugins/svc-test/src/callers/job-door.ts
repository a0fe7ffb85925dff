/**
 * Jobs as a caller causes them: a request of the caller, admitted by the firewall in the zone of the job, adds it. What
 * runs it then judges the identity again, as it does for the jobs that routes add.
 */
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import { randomId } from 'svc-kernel/plugin'
import { type DrainOptions, jobsOf, type RanJob } from '../background/test-jobs.ts'
import { CannotDrain, JobNotAdded } from '../errors.ts'

/** Jobs of one caller. */
export interface JobDoor {
  /**
   * Adds a job as this caller and drains. The zone of a job on a controller is that of its prefix; one that is a function
   * has none, and so no caller.
   *
   * @returns the last attempt at it
   * @throws JobNotAdded where the firewall refuses the caller, or the body does not fit; JobsFailed as `drain`
   */
  run(name: string, body?: unknown, options?: DrainOptions): Promise<RanJob>
}

const TICKET_HEADER = 'x-svc-test-job'

interface Wanted {
  readonly name: string
  readonly body: unknown
}

interface JobsPort {
  add(name: string, body?: unknown): Promise<{ readonly id: string }>
}

interface OperationsPort {
  readonly declared: ReadonlyArray<{ readonly name: string; readonly path: string }>
}

/** Jobs that tests are about to add, by ticket: nothing outside of this process can know one. */
const tickets = new Map<string, Wanted>()

/** Adds the job of a ticket, within the request. Registered after svc-security, so that the caller is known. */
const addWanted: onRequestAsyncHookHandler = async function addWanted(request, reply) {
  const ticket = request.headers[TICKET_HEADER]
  const wanted = typeof ticket === 'string' ? tickets.get(ticket) : undefined
  if (wanted === undefined) return
  tickets.delete(ticket as string)
  const { jobs } = this as unknown as { readonly jobs: JobsPort }
  return reply.send(await jobs.add(wanted.name, wanted.body))
}

/** A module of the application under test. */
export function acceptJobs(fastify: FastifyInstance, _options: object, done: () => void): void {
  fastify.addHook('onRequest', addWanted)
  done()
}
// On the root instance, so that it meets every path.
Object.assign(acceptJobs, { [Symbol.for('skip-override')]: true })

export function jobDoor(app: FastifyInstance, headers: Readonly<Record<string, string>>): JobDoor {
  return {
    async run(name, body, options) {
      if (decoratorOf(app as unknown as { jobs: JobsPort }, 'jobs') === null) throw new CannotDrain()
      const operations = decoratorOf(app as unknown as { jobOperations: OperationsPort }, 'jobOperations')
      const ticket = randomId('job', 32)
      tickets.set(ticket, { name, body })
      try {
        const url = operations?.declared.find((operation) => operation.name === name)?.path ?? '/'
        const answer = await app.inject({ method: 'POST', url, headers: { ...headers, [TICKET_HEADER]: ticket } })
        if (answer.statusCode !== 200) throw new JobNotAdded(name, String(answer.statusCode), answer.body)
        const { id } = answer.json() as { readonly id: string }
        const made = await jobsOf(app).drain(options)
        return made.findLast((job) => job.id === id) as RanJob
      } finally {
        tickets.delete(ticket)
      }
    }
  }
}
