/** The digest of notes: a job that sends a mail, every morning and whenever it is added. */
import type { FastifyInstance } from 'fastify'
import { Cron, controller, Job } from 'svc-decorators'
import { Note } from '../entities/note.ts'
import { env } from '../env.ts'
import { Digest } from '../mails/digest.ts'

/** How many notes a mail lists. */
const NEWEST = 20

@controller()
export class DigestController {
  readonly #notes
  readonly #mail

  constructor({ orm, mail }: FastifyInstance) {
    this.#notes = orm.repository(Note)
    this.#mail = mail
  }

  /** `fastify.jobs.add('notes.digest')` and `npx svc jobs run notes.digest` add it, too. It is tried again if it fails. */
  @Job('notes.digest', { unique: true })
  @Cron('0 7 * * *', { zone: 'UTC' })
  async send() {
    const notes = await this.#notes.find({}, { order: [['id', 'DESC']], limit: NEWEST })
    const titles = notes.map(({ title }) => title)
    await this.#mail.send(Digest, { to: env.DIGEST_TO, data: { titles } })
  }
}
