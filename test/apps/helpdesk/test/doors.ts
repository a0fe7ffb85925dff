/** Every way into the help desk, as one random call each: what the caller sees of it, whoever the caller is. */
import { CallError, type Client } from 'svc-client'
import type { SeededRandom } from '../../../support/seeded-random.ts'
import type { Caller, Person } from './help-desk.ts'

export const KINDS = ['ticket', 'attachment', 'hook', 'message', 'event', 'key', 'member', 'invitation'] as const
export type Kind = (typeof KINDS)[number]

/** One random call. */
export interface Asked {
  readonly caller: Caller
  /** Id or slug of the organisation that the call names: that of the caller, or the other. */
  readonly organization: string
  /** A word that whatever belongs to the named organisation has in its texts, and nothing else. */
  readonly mark: string
  /** Either mark: what is searched for. */
  readonly word: string
  /** Where messages for the named organisation go. */
  readonly receiver: string
  readonly random: SeededRandom
  /** Ids of both organisations, and one of nobody. */
  id(kind: Kind): string
}

/** What came back: bodies, headers and errors. */
export interface Seen {
  readonly text: string
  /** The call was answered, not refused. */
  readonly ok: boolean
  /** Ids in the answer, which later calls use. */
  readonly found: readonly (readonly [kind: Kind, id: string])[]
}

type Door = (asked: Asked) => Promise<Seen>

/** Routes by names that a table holds, and those of administrators, which the map leaves out. */
type AnyRoutes = Readonly<
  Record<string, { readonly input: AnyCall; readonly answer: unknown; readonly errors: object }>
>
type AnyCall = { readonly query?: object; readonly body?: unknown; readonly params?: object }

const AT = '/api/organizations/:organization'

export async function seenOf(answer: Promise<unknown>, read: (body: never) => Seen['found'] = () => []): Promise<Seen> {
  try {
    const value = await answer
    if (!(value instanceof Response))
      return { text: JSON.stringify(value ?? null), ok: true, found: read(value as never) }
    const text = await value.text()
    const isJson = value.headers.get('content-type')?.startsWith('application/json') === true
    const found = isJson && text !== '' ? read(JSON.parse(text) as never) : []
    return { text: JSON.stringify([...value.headers]) + text, ok: true, found }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return { text: JSON.stringify([error.message, error.data]), ok: false, found: [] }
  }
}

/** A call of a route over HTTP. */
function http(
  route: string,
  options: (asked: Asked) => AnyCall = () => ({}),
  read?: (body: never) => Seen['found']
): Door {
  return (asked) => {
    const { params, ...others } = options(asked)
    const api = asked.caller.api as unknown as Client<AnyRoutes>
    return seenOf(api.fetch(route, { params: { organization: asked.organization, ...params }, ...others }), read)
  }
}

const one =
  (kind: Kind, name: string = kind) =>
  ({ id }: Asked) => ({ params: { [name]: id(kind) } })
const draft = ({ mark, random }: Asked) => ({
  subject: `${mark} of a printer`,
  body: mark,
  // Some are overdue at once.
  ...(random.below(3) === 0 && { dueAt: '2026-01-01T00:00:00Z' })
})
const idOf =
  (kind: Kind) =>
  ({ id }: { id: string }) => [[kind, id] as const]
const idsOf = (kind: Kind, list: string) => (body: Readonly<Record<string, { id: string }[]>>) =>
  (body[list] ?? []).map(({ id }) => [kind, id] as const)

function upload(asked: Asked): AnyCall {
  const body = new FormData()
  body.set('file', new File([`bytes of ${asked.mark}`], `${asked.mark}.txt`, { type: 'text/plain' }))
  return { ...one('ticket')(asked), body }
}

const search = ({ word, random }: Asked) => ({ query: random.below(2) === 0 ? { q: word } : { limit: 100 } })
const hook = ({ mark, receiver }: Asked) => ({ url: receiver, events: ['*'], description: mark })

export const httpDoors: readonly Door[] = [
  http(`GET ${AT}/tickets`, search, idsOf('ticket', 'tickets')),
  http(`POST ${AT}/tickets`, (asked) => ({ body: draft(asked) }), idOf('ticket')),
  http(`GET ${AT}/tickets/:ticket`, one('ticket'), idsOf('attachment', 'attachments')),
  http(`PATCH ${AT}/tickets/:ticket`, (asked) => ({ ...one('ticket')(asked), body: { state: 'solved' } })),
  http(`POST ${AT}/tickets/:ticket/comments`, (asked) => ({ ...one('ticket')(asked), body: { text: asked.mark } })),
  http(`POST ${AT}/tickets/:ticket/attachments`, upload, idsOf('attachment', 'attachments')),
  http(`GET ${AT}/tickets/:ticket/attachments/:attachment`, ({ id }) => ({
    params: { ticket: id('ticket'), attachment: id('attachment') }
  })),
  http(`GET ${AT}/events`, () => ({ query: { limit: 200 } }), idsOf('event', 'events')),
  http(`GET ${AT}/events/export`),
  http(`GET ${AT}/events/:event`, one('event')),
  http(`GET ${AT}/webhooks`, () => ({ query: { limit: 200 } }), idsOf('hook', 'endpoints')),
  http(
    `POST ${AT}/webhooks`,
    (asked) => ({ body: hook(asked) }),
    ({ endpoint }: { endpoint: { id: string } }) => [['hook', endpoint.id]]
  ),
  http(`GET ${AT}/webhooks/:id`, one('hook', 'id')),
  http(`PATCH ${AT}/webhooks/:id`, (asked) => ({ ...one('hook', 'id')(asked), body: { description: asked.mark } })),
  http(`POST ${AT}/webhooks/:id/test`, (asked) => ({ ...one('hook', 'id')(asked), body: {} })),
  http(`POST ${AT}/webhooks/:id/reveal`, (asked) => ({ ...one('hook', 'id')(asked), body: {} })),
  http(`GET ${AT}/webhooks/:id/deliveries`, one('hook', 'id'), (body: { deliveries: { messageId: string }[] }) =>
    body.deliveries.map(({ messageId }) => ['message', messageId] as const)
  ),
  http(`POST ${AT}/webhooks/:id/deliveries/:messageId/resend`, ({ id }) => ({
    params: { id: id('hook'), messageId: id('message') },
    body: {}
  })),
  http(`GET ${AT}`),
  http(`GET ${AT}/members`, undefined, idsOf('member', 'members')),
  http(`GET ${AT}/invitations`, undefined, idsOf('invitation', 'invitations')),
  http(`POST ${AT}/invitations`, ({ mark, random }) => ({
    body: { address: `${mark}-${random.below(20)}@x.example`, role: 'agent' }
  })),
  http(`DELETE ${AT}/invitations/:invitation`, one('invitation')),
  http(`GET ${AT}/keys`, undefined, idsOf('key', 'keys')),
  http(`POST ${AT}/keys/:key/rotate`, one('key')),
  http(`GET ${AT}/deletion/export`),
  http('GET /api/organizations'),
  // What administrators see of all organisations is for administrators.
  http('GET /svc/organizations/api/organizations'),
  http('GET /svc/orm/api/entities/Ticket/rows'),
  http('GET /svc/security/api/audit/events'),
  http('GET /svc/jobs/api/jobs'),
  http('GET /svc/mail/api/outbox')
]

/** Tools of a program that works for a person. */
export async function byTool({ caller, organization, id, ...asked }: Asked): Promise<Seen> {
  const { tools } = caller as Person
  const { q } = search({ caller, organization, id, ...asked }).query as { q?: string }
  const [name, args] = asked.random.pick<readonly [string, object]>([
    ['find_tickets', { ...(q !== undefined && { q }) }],
    ['read_ticket', { ticket: id('ticket') }],
    ['open_ticket', draft({ caller, organization, id, ...asked })]
  ])
  const answer = await tools.call(name, { organization, ...args })
  return { text: JSON.stringify(answer), ok: answer.code === null, found: [] }
}
