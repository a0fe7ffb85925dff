/** What goes with an organisation: it is exported before the deletion, and removed after the days of grace. */
import type { FastifyInstance } from 'fastify'
import { Ticket } from './entities/tickets.ts'

export async function customerData({ organizations, orm }: FastifyInstance): Promise<void> {
  organizations.describe('tickets', {
    export: () => orm.repository(Ticket).find({}, { relations: ['comments', 'attachments'] }),
    // With their comments and attachments.
    erase: () => orm.repository(Ticket).delete({})
  })
}
