/** Tickets with their comments and attachments. Each row belongs to one organisation. */
import { defineEntity, entities, type RowOf } from 'svc-orm'

export const Ticket = defineEntity({
  name: 'Ticket',
  scope: 'organization',
  schema: {
    subject: { type: 'string', maxLength: 200 },
    body: { type: 'text' },
    state: { type: 'enum', values: ['open', 'solved'], default: 'open' },
    reporter: { type: 'string', maxLength: 254 },
    dueAt: { type: 'date' },
    overdue: { type: 'boolean', default: false }
  },
  relations: {
    comments: { type: 'one-to-many', target: 'Comment', mappedBy: 'ticket' },
    attachments: { type: 'one-to-many', target: 'Attachment', mappedBy: 'ticket' }
  },
  search: [{ field: 'subject', weight: 3 }, 'body'],
  indexes: [{ fields: ['state', 'overdue', 'dueAt'] }]
})

export const Comment = defineEntity({
  name: 'Comment',
  scope: 'organization',
  schema: { author: { type: 'string', maxLength: 254 }, text: { type: 'text' } },
  relations: { ticket: { type: 'many-to-one', target: 'Ticket', onDelete: 'cascade' } }
})

export const Attachment = defineEntity({
  name: 'Attachment',
  scope: 'organization',
  schema: { file: { type: 'string' }, name: { type: 'string' } },
  relations: { ticket: { type: 'many-to-one', target: 'Ticket', onDelete: 'cascade' } }
})

export type TicketRow = RowOf<typeof Ticket>
export type CommentRow = RowOf<typeof Comment>
export type AttachmentRow = RowOf<typeof Attachment>

declare module 'svc-orm' {
  interface EntityTypes {
    Ticket: typeof Ticket
    Comment: typeof Comment
    Attachment: typeof Attachment
  }
}

entities([Ticket, Comment, Attachment])(class {})
