/** What happens on the help desk, for the customers who listen. */
import { defineEvents, type EventsOf } from 'svc-events'
import { object, text } from 'svc-kernel/schemas'

const ticket = object({ ticket: text, subject: text })
const example = { ticket: '0199', subject: 'The printer is on fire' }

export const events = defineEvents({
  'ticket.created': { data: ticket, version: 1, description: 'a ticket was opened', example },
  'ticket.commented': {
    data: object({ ticket: text, author: text, text }),
    version: 1,
    description: 'somebody wrote a comment',
    example: { ticket: '0199', author: 'ada@example.org', text: 'Water helps.' }
  },
  'ticket.solved': { data: ticket, version: 1, description: 'a ticket was solved', example },
  'ticket.overdue': { data: ticket, version: 1, description: 'a ticket was not solved in time', example }
})

declare module 'svc-events' {
  interface ApplicationEvents extends EventsOf<typeof events> {}
}
