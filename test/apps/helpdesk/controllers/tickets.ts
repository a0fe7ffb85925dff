/** Tickets of an organisation, and the comments on them. Every change is told to customers and reporters with its transaction. */
import type { FastifyInstance } from 'fastify'
import {
  Body,
  Ctx,
  CurrentUser,
  controller,
  Get,
  type HttpContext,
  IsGranted,
  Param,
  Patch,
  Post,
  Query,
  RateLimit
} from 'svc-decorators'
import type { User } from 'svc-kernel'
import { expectedError } from 'svc-kernel/plugin'
import { closed, type FromSchema } from 'svc-kernel/schemas'
import { Comment, type CommentRow, Ticket, type TicketRow } from '../entities/tickets.ts'
import { TicketNews } from '../mails/ticket-news.ts'

export const NoTicket = expectedError('HELPDESK_NO_TICKET', 'there is no such ticket', 404)

const DAY_MS = 86_400_000

const draft = closed(
  { subject: { type: 'string', minLength: 1, maxLength: 200 }, body: { type: 'string', maxLength: 20_000 } },
  { dueAt: { type: 'string', format: 'date-time' } }
)
const remark = closed({ text: { type: 'string', minLength: 1, maxLength: 20_000 } })
const change = closed({ state: { enum: ['open', 'solved'] } } as const)
const listing = closed({}, {
  q: { type: 'string', minLength: 1, maxLength: 200 },
  state: { enum: ['open', 'solved'] },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  offset: { type: 'integer', minimum: 0, default: 0 }
} as const)

type Listing = FromSchema<typeof listing> & { readonly limit: number; readonly offset: number }

const realtime = { realtime: true } as const
const whole = { include: { comments: { order: [['id', 'ASC']] }, attachments: true } } as const

@controller('/api/organizations/:organization/tickets')
@IsGranted('ORG_MEMBER')
export class Tickets {
  readonly #app: FastifyInstance

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  @Get('/', {
    query: listing,
    config: realtime,
    tool: { name: 'find_tickets', description: 'Finds tickets by words.' }
  })
  async list(@Query() { q, state, limit, offset }: Listing): Promise<{ tickets: TicketRow[]; total: number }> {
    const criteria = { ...(q !== undefined && { $search: q }), ...(state !== undefined && { state }) }
    const order = [[q === undefined ? 'id' : '$rank', 'DESC']] as const
    const [tickets, total] = await Promise.all([
      this.#tickets.find(criteria, { order, limit, offset }),
      this.#tickets.count(criteria)
    ])
    return { tickets, total }
  }

  @Get('/:ticket', {
    config: realtime,
    schema: { errors: [NoTicket] },
    tool: { name: 'read_ticket', description: 'Reads a ticket.' }
  })
  async read(@Param('ticket') id: string): Promise<TicketRow> {
    return found(await this.#tickets.findOne({ id }, whole))
  }

  @Post('/', {
    body: draft,
    config: realtime,
    tool: { name: 'open_ticket', description: 'Opens a ticket for a problem.' }
  })
  @RateLimit({ rate: '30/min', by: 'identity' })
  async open(
    @Body() { dueAt, ...given }: FromSchema<typeof draft>,
    @CurrentUser() { identifier }: User,
    @Ctx() { request, reply }: HttpContext
  ): Promise<TicketRow> {
    const due = dueAt === undefined ? new Date(Date.now() + DAY_MS) : new Date(dueAt)
    const ticket = await this.#tickets.withTransaction(async (tickets, tx) => {
      const ticket = await tickets.create({ ...given, reporter: identifier, dueAt: due })
      const data = { ticket: ticket.id, subject: ticket.subject }
      await this.#app.events.within(tx).emit('ticket.created', data, { organization: request.organization })
      return ticket
    })
    reply.code(201)
    return ticket
  }

  @Patch('/:ticket', { body: change, config: realtime, schema: { errors: [NoTicket] } })
  @IsGranted('ORG_TICKETS')
  async change(
    @Param('ticket') id: string,
    @Body() { state }: FromSchema<typeof change>,
    @Ctx() { request: { organization } }: HttpContext
  ): Promise<TicketRow> {
    return this.#tickets.withTransaction(async (tickets, tx) => {
      const before = found(await tickets.findOne({ id }, { lock: 'update' }))
      const ticket = found(await tickets.updateOne({ id }, { state }))
      if (state === 'solved' && before.state !== state) {
        const data = { ticket: id, subject: ticket.subject }
        await this.#app.events.within(tx).emit('ticket.solved', data, { organization })
        const news = { subject: ticket.subject, news: 'It is solved.' }
        await this.#app.mail.within(tx).send(TicketNews, { to: ticket.reporter, data: news })
      }
      return ticket
    })
  }

  @Post('/:ticket/comments', { body: remark, config: realtime, schema: { errors: [NoTicket] } })
  async comment(
    @Param('ticket') id: string,
    @Body() { text }: FromSchema<typeof remark>,
    @CurrentUser() { identifier: author }: User,
    @Ctx() { request: { organization }, reply }: HttpContext
  ): Promise<CommentRow> {
    const comment = await this.#tickets.withTransaction(async (tickets, tx) => {
      const { subject, reporter } = found(await tickets.findOne({ id }))
      const comment = await this.#app.orm.repository(Comment).withTransaction(tx).create({ ticketId: id, author, text })
      await this.#app.events.within(tx).emit('ticket.commented', { ticket: id, author, text }, { organization })
      const news = { subject, news: `${author} wrote: ${text}` }
      if (reporter !== author) await this.#app.mail.within(tx).send(TicketNews, { to: reporter, data: news })
      return comment
    })
    reply.code(201)
    return comment
  }

  get #tickets() {
    return this.#app.orm.repository(Ticket)
  }
}

function found<Row>(row: Row | null): Row {
  if (row === null) throw new NoTicket()
  return row
}
