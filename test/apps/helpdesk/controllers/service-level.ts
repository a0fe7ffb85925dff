/** The service level: what is not solved when it is due is said to its reporter and to the customer, once. */
import type { FastifyInstance } from 'fastify'
import { Cron, Ctx, controller, Job, type JobContext } from 'svc-decorators'
import { Ticket } from '../entities/tickets.ts'
import { TicketNews } from '../mails/ticket-news.ts'

@controller('/service-level')
export class ServiceLevel {
  readonly #app: FastifyInstance
  readonly #tickets

  constructor(app: FastifyInstance) {
    this.#app = app
    this.#tickets = app.orm.repository(Ticket)
  }

  /** Looks at the tickets of all organisations, and leaves the work to a job in each. */
  @Cron('*/15 * * * *', { zone: 'UTC' })
  async check() {
    const { orm, organizations, jobs } = this.#app
    const due = await orm.acrossScopes('tickets that are overdue', () =>
      this.#tickets.groupBy({ state: 'open', overdue: false, dueAt: { $lt: new Date() } }, { by: ['organizationId'] })
    )
    for (const { organizationId } of due) {
      await organizations.within(organizationId, () => jobs.add('service-level.escalate'))
    }
  }

  @Job('service-level.escalate', { unique: true })
  async escalate(@Ctx() { request: { organization } }: JobContext) {
    const due = await this.#tickets.find({ state: 'open', overdue: false, dueAt: { $lt: new Date() } }, { limit: 500 })
    for (const { id, subject, reporter } of due) {
      await this.#tickets.withTransaction(async (tickets, tx) => {
        if ((await tickets.updateMany({ id, overdue: false }, { overdue: true })) === 0) return
        await this.#app.events.within(tx).emit('ticket.overdue', { ticket: id, subject }, { organization })
        const data = { subject, news: 'It is not solved yet. We are sorry, and on it.' }
        await this.#app.mail.within(tx).send(TicketNews, { to: reporter, data })
      })
    }
  }
}
