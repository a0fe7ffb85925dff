/** What goes with an organisation: it is exported before the deletion, and removed after the days of grace. */
import type { FastifyInstance } from 'fastify'
import { Ticket } from './entities/tickets.ts'

export async function customerData({ organizations, orm, files }: FastifyInstance): Promise<void> {
  organizations.describe('tickets', {
    export: () => orm.repository(Ticket).find({}, { relations: ['comments', 'attachments'] }),
    // With their comments and attachments.
    erase: () => orm.repository(Ticket).delete({})
  })
  organizations.describe('files', {
    export: ({ id }) => files.in(id).list({ limit: 1000 }),
    async erase({ id }) {
      const own = files.in(id)
      for (let found = await own.list(); found.length > 0; found = await own.list()) {
        for (const file of found) await own.remove(file.id)
      }
    }
  })
}
