/** Mails from `send` to a mail server, in memory. */
import Fastify, { type FastifyInstance } from 'fastify'
import { createAccessToken, ensureKernel } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcMail, { defineMail, html, type SvcMailOptions, type SvcMailParts } from '../src/index.ts'
import { SmtpServer } from './smtp-server.ts'

const FROM = 'Shop <shop@example.org>'
const NOTE = { to: 'ada@example.org', subject: 'Hello', text: 'Dear Ada' }

interface Opened {
  readonly fastify: FastifyInstance
  /** What the log says of mails that were sent or failed. */
  readonly events: Readonly<Record<string, unknown>>[]
  readonly lines: string[]
}

const SAID = new Set(['a mail was sent', 'a mail could not be sent'])

async function opened(t: Test, options: Partial<SvcMailOptions> & { parts?: SvcMailParts }): Promise<Opened> {
  const lines: string[] = []
  const events: Readonly<Record<string, unknown>>[] = []
  const write = (line: string) => {
    lines.push(line)
    const said = JSON.parse(line) as Readonly<Record<string, unknown>>
    if (SAID.has(String(said.msg))) events.push(said)
  }
  const fastify = Fastify({ logger: { level: 'debug', stream: { write } } })
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  fastify.addHook('onRequest', async (request) => {
    const { role } = request.headers
    if (typeof role !== 'string') return
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: [role] } })
  })
  fastify.accessGate.use({
    allows: ({ user }, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => user.roles.includes(attribute)))
  })
  await fastify.register(svcMail, { from: FROM, ...options })
  await fastify.ready()
  return { fastify, events, lines }
}

async function ended({ jobs }: FastifyInstance, id: string) {
  for (;;) {
    const job = await jobs.get(id)
    if (job.endedAt !== null) return job
    await new Promise(setImmediate)
  }
}

/** Until its first attempt is over. */
async function deferred({ jobs }: FastifyInstance, id: string) {
  for (;;) {
    const job = await jobs.get(id)
    if (job.attempts > 0) return job
    await new Promise(setImmediate)
  }
}

const Welcome = defineMail(
  'welcome',
  { data: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  ({ name }: { name: string }, { locale }) => ({
    subject: locale === 'de' ? 'Willkommen' : 'Welcome',
    text: `Dear ${name}`,
    html: html`<p>Dear ${name}</p>`
  })
)

t.test('a mail reaches the server with its texts and attachments, once, and its job keeps no body', async (t) => {
  const smtp = await SmtpServer.start(t)
  const { fastify, events } = await opened(t, { transport: { url: smtp.url } })
  const { id } = await fastify.mail.send({
    ...NOTE,
    cc: { name: 'Bob, the "second"', address: 'bob@example.org' },
    bcc: ['eve@example.org', 'ada@example.org'],
    replyTo: 'help@example.org',
    html: '<p>Dear Ada</p>',
    headers: { 'List-Unsubscribe': '<https://example.org/off>' },
    attachments: [{ filename: 'a.txt', content: 'attached' }]
  })
  t.match(await ended(fastify, id), { state: 'done', attempts: 1, body: {} })
  const [mail, ...more] = smtp.taken
  t.strictSame(more, [])
  t.strictSame(mail?.to, ['ada@example.org', 'bob@example.org', 'eve@example.org'])
  t.equal(mail?.from, 'shop@example.org')
  const data = mail?.data ?? ''
  t.match(data, new RegExp(`^Message-ID: <${id}@example\\.org>\\r$`, 'm'))
  t.match(data, /^From: Shop <shop@example\.org>\r$/m)
  t.match(data, /^Reply-To: help@example\.org\r$/m)
  t.match(data, /^List-Unsubscribe: <https:\/\/example\.org\/off>\r$/m)
  t.match(data, 'Dear Ada')
  t.match(data, '<p>Dear Ada</p>')
  t.match(data, Buffer.from('attached').toString('base64'))
  t.notMatch(data, 'eve@example.org')
  t.match(events, [{ msg: 'a mail was sent', mail: id, to: 'a***@example.org', recipients: 4, attempt: 1, refused: 0 }])
})

t.test('a mail that the server refuses for good fails at once', async (t) => {
  for (const refused of ['MAIL FROM', 'RCPT TO', 'DATA', '.']) {
    const smtp = await SmtpServer.start(t)
    smtp.script = (command) => (command.startsWith(refused) ? '550 5.1.1 <ada@example.org> is unknown' : undefined)
    const { fastify, events, lines } = await opened(t, { transport: { url: smtp.url } })
    const { id } = await fastify.mail.send(NOTE)
    const job = await ended(fastify, id)
    t.match(job, { state: 'failed', attempts: 1, reason: /refused the mail: .*550 5\.1\.1 \*\*\* is unknown/ }, refused)
    t.match(job.body, { text: 'Dear Ada' }, 'it can be retried')
    t.match(events, [{ code: 'SVC_MAIL_FAILED', to: 'a***@example.org' }])
    t.notMatch(lines.join(''), /ada@example\.org|Dear Ada/)
    await fastify.close()
  }
})

t.test(
  'a mail that the server does not take now is tried again, and so are failures of connection and login',
  async (t) => {
    const scripts: Readonly<Record<string, readonly [string, string]>> = {
      greylisted: ['RCPT TO', '451 4.7.1 later'],
      full: ['.', '452 full'],
      closed: ['MAIL', 'close'],
      login: ['AUTH', '535 5.7.8 bad password hunter2']
    }
    for (const [name, [start, answer]] of Object.entries(scripts)) {
      const smtp = await SmtpServer.start(t)
      smtp.script = (command) => (command.startsWith(start) ? answer : undefined)
      const url = smtp.url.replace('//', '//shop:hunter2@')
      const { fastify, events, lines } = await opened(t, { transport: { url } })
      const { id } = await fastify.mail.send(NOTE)
      const job = await deferred(fastify, id)
      t.match(job, { state: 'waiting', attempts: 1, reason: /did not take the mail/ }, name)
      t.notMatch(JSON.stringify([job, lines]), /hunter2/, name)
      t.strictSame(events, [], name)
      await fastify.close()
    }
  }
)

t.test('the last attempt that fails is the end of a mail', async (t) => {
  const smtp = await SmtpServer.start(t)
  smtp.script = (command) => (command === '.' ? '452 full' : undefined)
  const { fastify, events } = await opened(t, { transport: { url: smtp.url }, retries: 0 })
  const { id } = await fastify.mail.send(NOTE)
  t.match(await ended(fastify, id), { state: 'failed', reason: /452 full/ })
  t.match(events, [{ code: 'SVC_MAIL_FAILED', reason: /452 full/ }])
})

t.test('of some refused recipients the log says how many', async (t) => {
  const smtp = await SmtpServer.start(t)
  smtp.script = (command) => (command.includes('bob@') ? '550 unknown' : undefined)
  const { fastify, events, lines } = await opened(t, { transport: { url: smtp.url } })
  const { id } = await fastify.mail.send({ ...NOTE, cc: 'bob@example.org' })
  t.match(await ended(fastify, id), { state: 'done' })
  t.match(events, [{ msg: 'a mail was sent', recipients: 2, refused: 1 }])
  t.match(lines.join(''), 'SVC_MAIL_RECIPIENTS')
})

t.test('a second attempt after an answer that was lost has the same Message-ID', async (t) => {
  const smtp = await SmtpServer.start(t)
  smtp.script = (command) => (command === '.' && smtp.taken.length === 0 ? 'close' : undefined)
  const { fastify } = await opened(t, { transport: { url: smtp.url } })
  const { id } = await fastify.mail.send(NOTE)
  t.match(await ended(fastify, id), { state: 'done', attempts: 2 })
  const ids = smtp.taken.map(({ data }) => /^Message-ID: (.*)\r$/m.exec(data)?.[1])
  t.strictSame(ids, [`<${id}@example.org>`, `<${id}@example.org>`])
})

t.test('a transport of another kind: its errors lose what they hold', async (t) => {
  const secret = Object.assign(new Error('the service is away'), { request: { password: 'hunter2' } })
  const transport = { send: () => Promise.reject(secret) }
  const { fastify, lines } = await opened(t, { parts: { transport }, retries: 0 })
  const { id } = await fastify.mail.send(NOTE)
  t.match(await ended(fastify, id), { state: 'failed', reason: /the service is away/ })
  t.notMatch(lines.join(''), 'hunter2')
})

t.test('a template: its data is checked, its language is chosen, its HTML is escaped', async (t) => {
  const { fastify } = await opened(t, { outbox: true })
  const { mail } = fastify
  await mail.send(Welcome, { to: 'ada@example.org', data: { name: '<b>Ada</b>' }, locale: 'de' })
  const sent = await mail.outbox.next({ to: 'ada@example.org' })
  t.match(sent, { subject: 'Willkommen', text: 'Dear <b>Ada</b>', html: '<p>Dear &lt;b&gt;Ada&lt;/b&gt;</p>' })
  await t.rejects(mail.send(Welcome, { to: 'ada@example.org', data: { nam: 1 } as never }), {
    code: 'SVC_MAIL_DATA',
    statusCode: 400,
    message: /data must have required property 'name'/
  })
})

t.test('the log says whose request sent a mail', async (t) => {
  let write = (_line: string) => {}
  const sent = new Promise<object>((resolve) => {
    write = (line) => {
      const said = JSON.parse(line) as { msg: string }
      if (said.msg === 'a mail was sent') resolve(said)
    }
  })
  const fastify = Fastify({
    genReqId: () => 'req-7',
    logger: { level: 'info', stream: { write: (line: string) => write(line) } }
  })
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  fastify.addHook('onRequest', async (request) => {
    request.user = { identifier: 'grace', roles: [] }
  })
  await fastify.register(svcMail, { from: FROM, outbox: true })
  fastify.post('/mails', () => fastify.mail.send(NOTE))
  await fastify.ready()
  await fastify.inject({ method: 'POST', url: '/mails' })
  t.match(await sent, { user: 'grace', reqId: 'req-7', to: 'a***@example.org' })
})

t.test('the outbox is for administrators, and absent where mails leave', async (t) => {
  const { fastify } = await opened(t, { outbox: true })
  await fastify.mail.send({ ...NOTE, attachments: [{ filename: 'a.txt', content: 'four' }] })
  await fastify.mail.outbox.next()
  const ask = async (role: string, query = '') =>
    fastify.inject({ url: `/svc/mail/api/outbox${query}`, headers: { role } })
  t.equal((await ask('ROLE_USER')).statusCode, 403)
  const { mails } = (await ask('ROLE_SVC_ADMIN')).json()
  t.match(mails, [{ number: 1, subject: 'Hello', to: [{ address: 'ada@example.org' }] }])
  t.notOk('text' in mails[0], 'texts are those of one mail')
  const mail = (await ask('ROLE_SVC_ADMIN', '/1')).json()
  t.match(mail, { number: 1, subject: 'Hello', text: 'Dear Ada', html: null, to: [{ address: 'ada@example.org' }] })
  t.strictSame(mail.attachments, [{ filename: 'a.txt', contentType: null, bytes: 4 }])
  for (const path of ['/1', '/1/html']) t.equal((await ask('ROLE_USER', path)).statusCode, 403, path)
  for (const path of ['/2', '/1/html', '/2/html']) {
    t.match((await ask('ROLE_SVC_ADMIN', path)).json(), { statusCode: 404, code: 'SVC_MAIL_NOT_FOUND' }, path)
  }
  t.equal((await ask('ROLE_SVC_ADMIN', '/one')).statusCode, 400)
  t.strictSame((await ask('ROLE_SVC_ADMIN', '?to=bob@example.org')).json(), { mails: [] })
  t.equal((await ask('ROLE_SVC_ADMIN', '?from=bob@example.org')).statusCode, 400)
  const smtp = await SmtpServer.start(t)
  const other = await opened(t, { transport: { url: smtp.url } })
  t.equal((await other.fastify.inject('/svc/mail/api/outbox')).statusCode, 404)
})

t.test('an application without a way for its mails does not start', async (t) => {
  const start = async (options: Partial<SvcMailOptions>, mode?: string) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    if (mode !== undefined) fastify.decorate('appHost', { mode } as never)
    await fastify.register(svcMail, { from: FROM, ...options })
    return fastify.mail.outbox.list()
  }
  await t.rejects(start({}), /SVC_MAIL_TRANSPORT/)
  await t.rejects(start({}, 'production'), /SVC_MAIL_TRANSPORT/)
  await t.rejects(start({ outbox: true }, 'production'), /SVC_MAIL_TRANSPORT/)
  await t.rejects(start({ outbox: false }, 'development'), /SVC_MAIL_TRANSPORT/)
  for (const from of ['shop', 'x', '']) await t.rejects(start({ from }, 'development'), /SVC_MAIL_FROM/)
  await t.rejects(start({ transport: { url: 'smtp://localhost' } }, 'development'), /has no outbox/)
  t.strictSame(await start({}, 'development'), [])
  t.strictSame(await start({}, 'test'), [])
})

t.test('the server is asked on demand', async (t) => {
  const smtp = await SmtpServer.start(t)
  const { fastify } = await opened(t, { transport: { url: smtp.url.replace('//', '//shop:hunter2@') } })
  await fastify.mail.verify()
  smtp.script = (command) => (command.startsWith('AUTH') ? '535 no hunter2' : undefined)
  await t.rejects(fastify.mail.verify(), { code: 'SVC_MAIL_DEFERRED', message: /the login failed \(535\)/ })
})
