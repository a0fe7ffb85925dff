/** Files on tickets: stored with the row that names them, or not at all. */
import type { FastifyInstance } from 'fastify'
import { Ctx, controller, Delete, Get, type HttpContext, IsGranted, Param, Post } from 'svc-decorators'
import { download, upload } from 'svc-files'
import { Attachment, type AttachmentRow, Ticket } from '../entities/tickets.ts'
import { NoTicket } from './tickets.ts'

const files = upload({ maxBytes: 5_000_000, maxFiles: 5, stage: true })
const errors = [...files.schema.errors, NoTicket]

interface Named {
  readonly ticket: string
  readonly attachment: string
}

@controller('/api/organizations/:organization/tickets/:ticket/attachments')
@IsGranted('ORG_MEMBER')
export class Attachments {
  readonly #app: FastifyInstance
  readonly #attachments

  constructor(app: FastifyInstance) {
    this.#app = app
    this.#attachments = app.orm.repository(Attachment)
  }

  @Post('/', { ...files, schema: { ...files.schema, errors } })
  async add(
    @Param('ticket') ticketId: string,
    @Ctx() { request, reply }: HttpContext
  ): Promise<{ attachments: AttachmentRow[] }> {
    if (!(await this.#app.orm.repository(Ticket).exists({ id: ticketId }))) throw new NoTicket()
    const form = await this.#app.files.upload(request)
    const attachments = await this.#attachments.withTransaction(async (inside, tx) => {
      await this.#app.files.within(tx).keep(...form.files.map(({ id }) => id))
      return inside.createMany(form.files.map(({ id: file, name }) => ({ ticketId, file, name })))
    })
    reply.code(201)
    return { attachments }
  }

  @Get('/:attachment', download())
  async read(@Param() { ticket, attachment }: Named, @Ctx() { reply }: HttpContext) {
    const row = await this.#attachments.findOne({ id: attachment, ticketId: ticket })
    if (row === null) throw new NoTicket()
    return reply.file(row.file)
  }

  @Delete('/:attachment', { schema: { errors: [NoTicket] } })
  @IsGranted('ORG_TICKETS')
  async remove(@Param() { ticket, attachment }: Named) {
    await this.#attachments.withTransaction(async (inside, tx) => {
      const row = await inside.findOne({ id: attachment, ticketId: ticket })
      if (row === null) throw new NoTicket()
      await inside.delete({ id: row.id })
      await this.#app.files.within(tx).remove(row.file)
    })
  }
}
