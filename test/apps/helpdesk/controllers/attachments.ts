/** Files on tickets: stored with the row that names them, or not at all. */
import type { FastifyInstance } from 'fastify'
import { Ctx, controller, Get, type HttpContext, IsGranted, Param, Post } from 'svc-decorators'
import { download, upload } from 'svc-files'
import { Attachment, type AttachmentRow, Ticket } from '../entities/tickets.ts'
import { NoTicket } from './tickets.ts'

const taken = upload({ maxBytes: 5_000_000, maxFiles: 5, stage: true })
const sent = download()

@controller('/api/organizations/:organization/tickets/:ticket/attachments')
@IsGranted('ORG_MEMBER')
export class Attachments {
  readonly #app: FastifyInstance

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  @Post('/', { ...taken, schema: { ...taken.schema, errors: [...taken.schema.errors, NoTicket] } })
  async add(
    @Param('ticket') ticketId: string,
    @Ctx() { request, reply }: HttpContext
  ): Promise<{ attachments: AttachmentRow[] }> {
    if (!(await this.#app.orm.repository(Ticket).exists({ id: ticketId }))) throw new NoTicket()
    const form = await this.#app.files.upload(request)
    const attachments = await this.#app.orm.repository(Attachment).withTransaction(async (inside, tx) => {
      await this.#app.files.within(tx).keep(...form.files.map(({ id }) => id))
      return inside.createMany(form.files.map(({ id: file, name }) => ({ ticketId, file, name })))
    })
    reply.code(201)
    return { attachments }
  }

  @Get('/:attachment', { schema: { ...sent.schema, errors: [...sent.schema.errors, NoTicket] } })
  async read(@Param('ticket') ticketId: string, @Param('attachment') id: string, @Ctx() { reply }: HttpContext) {
    const row = await this.#app.orm.repository(Attachment).findOne({ id, ticketId })
    if (row === null) throw new NoTicket()
    return reply.file(row.file)
  }
}
