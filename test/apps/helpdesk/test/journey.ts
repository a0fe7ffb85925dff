/** Two organisations use the help desk, by svc-client alone: what one does, sees, is mailed and is sent. */
import { verifyEvent } from 'svc-events/verify'
import { mailsOf } from 'svc-test'
import type { Test } from 'tap'
import { until } from '../../../support/until.ts'
import { WebhookReceiver } from '../../../support/webhook-receiver.ts'
import type { events } from '../events.ts'
import type { HelpDesk, Person } from './help-desk.ts'

/** As a call that must be refused is told by its code. */
const codeOf = ({ error }: { readonly error?: { readonly code: string } | undefined }) => error?.code

/** What waits for its turn waits by the clock of the test. */
function during(desk: HelpDesk, holds: () => boolean): () => boolean {
  return () => {
    desk.clock.advance(10)
    return holds()
  }
}

export async function journey(t: Test, desk: HelpDesk): Promise<void> {
  const [ada, bob, eve] = [
    await desk.person('ada@acme.example'),
    await desk.person('bob@acme.example'),
    await desk.person('eve@globex.example')
  ]
  const acme = await desk.organization(ada, 'acme')
  const globex = await desk.organization(eve, 'globex')
  await desk.join(acme, ada, bob, 'agent')
  const at = { params: { organization: 'acme' } }

  await t.test('tickets, their words and their errors', async (t) => {
    const body = { subject: 'The printer is on fire', body: 'It began at noon.' }
    const { id, ...opened } = await ada.api.call('POST /api/organizations/:organization/tickets', { ...at, body })
    t.match(opened, { ...body, state: 'open', reporter: ada.name, organizationId: acme })
    await ada.api.call('POST /api/organizations/:organization/tickets', {
      ...at,
      body: { subject: 'No paper', body: 'The printer asks for it.' }
    })
    const found = async (q: string, api = bob.api) => {
      const { tickets } = await api.call('GET /api/organizations/:organization/tickets', { ...at, query: { q } })
      return tickets.map(({ subject }) => subject)
    }
    t.strictSame(await found('PRINTER'), ['The printer is on fire', 'No paper'], 'a word of the subject counts more')
    t.strictSame(await found('noon'), ['The printer is on fire'])
    t.strictSame(await found('nothing*'), [])

    const invalid = await ada.api.attempt('POST /api/organizations/:organization/tickets', {
      ...at,
      body: { ...body, subject: '' }
    })
    t.match(invalid, { ok: false, error: { code: 'SVC_HTTP_VALIDATION', data: { details: [{ path: '/subject' }] } } })
    const foreign = await eve.api.attempt('GET /api/organizations/:organization/tickets', at)
    const typed: 'SVC_ORG_NOT_FOUND' | false = foreign.error?.code === 'SVC_ORG_NOT_FOUND' && foreign.error.code
    t.equal(typed, 'SVC_ORG_NOT_FOUND', 'a code that the type of the route has')
    const params = { organization: 'globex', ticket: id }
    t.equal(
      codeOf(await eve.api.attempt('GET /api/organizations/:organization/tickets/:ticket', { params })),
      'HELPDESK_NO_TICKET'
    )
    const unknown = await desk.stranger.attempt('GET /api/organizations/:organization/tickets', at)
    t.equal(codeOf(unknown), 'SVC_SEC_UNAUTHENTICATED')
    const invitation = { ...at, body: { address: 'x@acme.example', role: 'agent' } }
    t.equal(
      codeOf(await bob.api.attempt('POST /api/organizations/:organization/invitations', invitation)),
      'SVC_SEC_DENIED'
    )
  })

  await t.test('a comment is mailed, and so is the end', async (t) => {
    const ticket = await open(ada, 'acme', 'A <noisy> fan')
    const params = { organization: 'acme', ticket }
    await bob.api.call('POST /api/organizations/:organization/tickets/:ticket/comments', {
      params,
      body: { text: 'Look at it <b>now</b>.' }
    })
    await desk.jobs.drain()
    const mail = mailsOf(desk.app).last({ to: ada.name })
    t.equal(mail.subject, 'Your ticket: A <noisy> fan')
    t.match(mail.text, 'bob@acme.example wrote: Look at it <b>now</b>.')
    t.match(mail.html, 'Look at it &lt;b&gt;now&lt;/b&gt;.')
    const { comments = [] } = await ada.api.call('GET /api/organizations/:organization/tickets/:ticket', { params })
    t.match(comments, [{ author: bob.name, text: 'Look at it <b>now</b>.' }])
    const change = { params, body: { state: 'solved' } } as const
    t.equal((await bob.api.call('PATCH /api/organizations/:organization/tickets/:ticket', change)).state, 'solved')
    await bob.api.call('PATCH /api/organizations/:organization/tickets/:ticket', change)
    const before = mailsOf(desk.app).sent.length
    await desk.jobs.drain()
    t.equal(mailsOf(desk.app).sent.length, before + 1, 'it is said once')
    t.equal(mailsOf(desk.app).last({ to: ada.name }).text, 'A <noisy> fan\n\nIt is solved.')
  })

  await t.test('files go with a ticket, and stay with its organisation', async (t) => {
    const params = { organization: 'acme', ticket: await open(ada, 'acme', 'With a picture') }
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251)
    const body = new FormData()
    body.set('file', new File([bytes], '../smoke.bin', { type: 'application/octet-stream' }))
    const route = 'POST /api/organizations/:organization/tickets/:ticket/attachments'
    const { attachments } = await ada.api.call(route, { params, body })
    t.match(attachments, [{ name: 'smoke.bin', ticketId: params.ticket }])
    const one = { ...params, attachment: attachments[0]?.id ?? '' }
    const read = 'GET /api/organizations/:organization/tickets/:ticket/attachments/:attachment'
    const whole = await ada.api.fetch(read, { params: one })
    t.match(whole.headers.get('content-disposition'), /attachment; filename="smoke\.bin"/)
    t.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes), 'the bytes come back')
    const part = await ada.api.fetch(read, { params: one, headers: { range: 'bytes=251-253' } })
    t.strictSame([part.status, [...new Uint8Array(await part.arrayBuffer())]], [206, [0, 1, 2]])
    const streamed: number[] = []
    for await (const chunk of await ada.api.call(read, { params: one })) streamed.push(chunk.length)
    t.equal(
      streamed.reduce((sum, length) => sum + length, 0),
      bytes.length
    )
    const foreign = { params: { ...one, organization: 'globex' } }
    t.equal(codeOf(await eve.api.attempt(read, foreign)), 'HELPDESK_NO_TICKET')
    const large = new FormData()
    large.set('file', new File([new Uint8Array(5_000_001)], 'large.bin'))
    t.equal(codeOf(await ada.api.attempt(route, { params, body: large })), 'SVC_FILES_TOO_LARGE')
  })

  await t.test('the socket answers calls, and hears its own organisation', async (t) => {
    const live = await ada.connect()
    const heard: { type: string; data: unknown }[] = []
    const stop = await live.subscribe<{ type: string; data: unknown }>(
      desk.app.events.channelOf(acme),
      (event) => void heard.push(event)
    )
    const foreign = live.subscribe(desk.app.events.channelOf(globex), () => undefined)
    await t.rejects(foreign, { status: 403, message: 'access denied' })
    const { id } = await live.call('POST /api/organizations/:organization/tickets', {
      ...at,
      body: { subject: 'Over the socket', body: 'It works.' }
    })
    await until(
      during(desk, () => heard.length === 1),
      'the event of the ticket'
    )
    t.match(heard, [{ type: 'ticket.created', data: { ticket: id, subject: 'Over the socket' } }])
    const { total } = await live.call('GET /api/organizations/:organization/tickets', { ...at, query: { limit: 1 } })
    t.ok(total > 1)
    t.equal(
      codeOf(
        await live.attempt('GET /api/organizations/:organization/tickets', { params: { organization: 'globex' } })
      ),
      'SVC_ORG_NOT_FOUND'
    )
    await stop()
    await open(ada, 'acme', 'Unheard')
    const { tickets } = await live.call('GET /api/organizations/:organization/tickets', at)
    t.equal(tickets[0]?.subject, 'Unheard')
    t.equal(heard.length, 1)
    await live.close()
  })

  await t.test('what is overdue is said once, to the reporter and to the customer', async (t) => {
    const receiver = await WebhookReceiver.start(t)
    const hook = { url: receiver.url('/acme'), events: ['ticket.overdue'] }
    const made = await ada.api.call('POST /api/organizations/:organization/webhooks', { ...at, body: hook })
    const foreign = { params: { organization: 'globex' }, body: { url: receiver.url('/globex'), events: ['*'] } }
    await eve.api.call('POST /api/organizations/:organization/webhooks', foreign)
    const dueAt = new Date(Date.now() - 60_000).toISOString()
    await ada.api.call('POST /api/organizations/:organization/tickets', {
      ...at,
      body: { subject: 'Late', body: 'Very.', dueAt }
    })
    const ran = () => desk.jobs.ran('service-level.escalate').length
    t.equal(ran(), 0)
    await desk.jobs.advance('15m')
    t.equal(ran(), 1, 'in the organisation that has such a ticket')
    t.match(mailsOf(desk.app).last({ to: ada.name }).text, /^Late\n\nIt is not solved yet/)
    await until(
      during(desk, () => receiver.received.length > 0),
      'the delivery'
    )
    const event = await verifyEvent<typeof events>(receiver.received[0] as never, made.secret, {
      now: () => desk.clock.now(),
      // The slot may be any time ago within the span.
      toleranceS: 900
    })
    t.match(event, { type: 'ticket.overdue', version: 1, data: { subject: 'Late' } })
    const sent = mailsOf(desk.app).sent.length
    await desk.jobs.advance('15m')
    t.equal(mailsOf(desk.app).sent.length, sent)
    // A message may come again, under its id, where the clock jumps before its delivery is written down.
    const messages = new Map(receiver.received.map(({ path, headers }) => [headers['webhook-id'], path]))
    t.strictSame([...messages.values()], ['/acme'])
    await Promise.all([ada, bob, eve].map((person) => person.login()))
    const { events: journal } = await ada.api.call('GET /api/organizations/:organization/events', {
      ...at,
      query: { type: 'ticket.overdue' }
    })
    t.match(journal, [{ organization: acme, data: { subject: 'Late' } }])
  })

  await t.test('the portal shows the endpoints of its organisation alone, and opens once', async (t) => {
    t.equal(codeOf(await bob.api.attempt('POST /api/organizations/:organization/portal', at)), 'SVC_SEC_DENIED')
    const { url } = await ada.api.call('POST /api/organizations/:organization/portal', at)
    const { pathname, hash } = new URL(url, 'http://localhost')
    const enter = () =>
      desk.app.inject({ method: 'POST', url: `${pathname}/api/session`, payload: { secret: hash.slice(1) } })
    const { token, session } = (await enter()).json()
    t.match(session, { organization: acme, keys: ['tickets'] })
    t.equal((await enter()).json().code, 'SVC_EVENTS_PORTAL_LINK')
    const listed = await desk.app.inject({
      url: `${pathname}/api/webhooks`,
      headers: { authorization: `Bearer ${token}` }
    })
    const urls = listed.json<{ endpoints: { url: string }[] }>().endpoints.map((each) => new URL(each.url).pathname)
    t.strictSame(urls, ['/acme'])
  })

  await t.test('programs: a key of the organisation, and tools', async (t) => {
    const body = { name: 'nightly', permissions: ['tickets'] }
    const { token } = await ada.api.call('POST /api/organizations/:organization/keys', { ...at, body })
    const nightly = desk.program('nightly', token)
    t.ok((await nightly.api.call('GET /api/organizations/:organization/tickets', at)).total > 1)
    const members = await nightly.api.attempt('GET /api/organizations/:organization/keys', at)
    t.equal(codeOf(members), 'SVC_SEC_DENIED')
    const again = await desk.person('ida@globex.example')
    await desk.join(globex, eve, again, 'agent')
    t.strictSame([...(await again.tools.list())].sort(), ['find_tickets', 'open_ticket', 'read_ticket'])
    const opened = { organization: 'globex', subject: 'By a tool', body: 'Hello.' }
    t.match(await again.tools.call('open_ticket', opened), { code: null })
    t.match(await again.tools.call('find_tickets', { organization: 'globex', q: 'tool' }), { code: null })
    t.match(await again.tools.call('find_tickets', { organization: 'acme', q: 'printer' }), {
      code: 'SVC_ORG_NOT_FOUND'
    })
  })

  await t.test('a limit, a suspension and a deletion', async (t) => {
    const body = { subject: 'Again', body: 'and again' }
    let refused: string | undefined
    for (let made = 0; made < 40 && refused === undefined; made += 1) {
      refused = codeOf(await bob.api.attempt('POST /api/organizations/:organization/tickets', { ...at, body }))
    }
    t.equal(refused, 'SVC_LIMIT_EXCEEDED')
    await desk.app.organizations.suspend(acme, 'unpaid')
    t.equal(codeOf(await bob.api.attempt('GET /api/organizations/:organization/tickets', at)), 'SVC_ORG_SUSPENDED')
    await desk.app.organizations.resume(acme)
    await ada.api.call('POST /api/organizations/:organization/deletion', at)
    t.equal(codeOf(await bob.api.attempt('GET /api/organizations/:organization/tickets', at)), 'SVC_ORG_CLOSING')
    await desk.jobs.drain()
    const archive = await ada.api.call('GET /api/organizations/:organization/deletion/export', at)
    t.match(archive, { organization: { slug: 'acme' }, tickets: [{ subject: String }], files: [{ name: 'smoke.bin' }] })
    t.ok((archive.events as object[]).length > 5, 'the journal is in the archive')
    desk.clock.advance(31 * 86_400_000)
    await desk.app.jobs.schedules.runNow('svc.organizations.sweep')
    await desk.jobs.drain()
    t.equal(await desk.app.organizations.find('acme'), null)
    t.strictSame(await desk.app.files.in(acme).list(), [])
    t.strictSame((await desk.app.events.list(acme)).events, [])
    await eve.login()
    const { total } = await eve.api.call('GET /api/organizations/:organization/tickets', {
      params: { organization: 'globex' }
    })
    t.equal(total, 1, 'the other organisation has its rows')
  })
}

async function open({ api }: Person, organization: string, subject: string): Promise<string> {
  const body = { subject, body: 'Please help.' }
  return (await api.call('POST /api/organizations/:organization/tickets', { params: { organization }, body })).id
}
