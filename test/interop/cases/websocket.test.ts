/** Area `websocket`: everything is decided before the 101, and again for each message. */
import type { ModuleEntry } from 'svc-host'
import type { Authenticator } from 'svc-security'
import type { Test } from 'tap'
import { bearer, cookie, PlainCredential } from '../../support/plain-credential.ts'
import type { RawHeaders } from '../../support/raw-http.ts'
import { RawWebSocket } from '../../support/raw-websocket.ts'
import { startApp } from '../../support/start-app.ts'
import { BINARY, encodeFrame, TEXT } from '../../support/websocket-frame.ts'
import { securityCase } from './security-case.ts'
import { TalkController } from './talk-controller.ts'

const TRUSTED = 'https://app.example'

/** `/talk` lies in a zone of sessions and bearers. */
async function talkApp(
  t: Test,
  { authenticators = {} as Record<string, Authenticator>, modules = [] as readonly ModuleEntry[] } = {}
) {
  const started = await startApp(t, {
    security: {
      areas: { talk: { pattern: '^/talk', authenticators: ['cookie', 'bearer'] } },
      csrf: { trustedOrigins: [TRUSTED] },
      parts: {
        authenticators: { bearer: PlainCredential.bearer(), cookie: PlainCredential.cookie(), ...authenticators }
      }
    },
    modules,
    controllers: [TalkController]
  })
  const own = { origin: `http://127.0.0.1:${started.port}` }
  const host = { host: `127.0.0.1:${started.port}` }
  const open = (headers: RawHeaders = {}, target = '/talk/who', pipelined?: Buffer) =>
    RawWebSocket.open(t, started.port, target, { ...host, ...headers }, pipelined)
  const status = async (headers: RawHeaders = {}, target?: string) => (await open(headers, target)).answer.status
  return { ...started, own, open, status }
}

securityCase('WSK-01', async (t) => {
  const { open, status, own, records } = await talkApp(t)
  const { answer, socket } = await open({ origin: 'https://evil', ...cookie('alice') })
  t.equal(answer.status, 403)
  t.match(JSON.parse(answer.body), { code: 'SVC_SEC_ORIGIN' })
  t.equal(await socket.nextFrame(), null, 'and the connection is closed')
  t.match(records, [{ category: 'ws', action: 'origin.rejected', reason: 'https://evil' }])
  t.equal(await status({ origin: 'https://evil' }), 403, 'with or without proof')
  t.equal(await status({ ...own, ...cookie('alice') }), 101)
})

securityCase(
  'WSK-02',
  async (t) => {
    const { status } = await talkApp(t)
    t.equal(await status(cookie('alice')), 403)
    t.equal(await status(bearer('alice')), 101)
  },
  'refused for a cookie, allowed for a bearer'
)

securityCase('WSK-03', async (t) => {
  const { status, own, port } = await talkApp(t)
  const refused = [
    'null',
    'https://x.app.example',
    'https://app.example.evil',
    'https://app.example:8443',
    'http://app.example',
    'https://APP.example.',
    `${own.origin}/`,
    `${own.origin}.evil`,
    'http://127.0.0.1',
    `https://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    ''
  ]
  for (const origin of refused) t.equal(await status({ origin, ...cookie('alice') }), 403, `origin ${origin}`)
  t.equal(await status({ origin: [own.origin, 'https://evil'], ...cookie('alice') }), 403, 'two origins')
  for (const origin of [own.origin, TRUSTED]) t.equal(await status({ origin, ...cookie('alice') }), 101, origin)
})

securityCase('WSK-04', async (t) => {
  const { open, own } = await talkApp(t)
  for (const headers of [bearer('!'), {}, cookie('!')]) {
    const { answer, socket } = await open({ ...own, ...headers })
    t.equal(answer.status, 401)
    t.equal(answer.headers['www-authenticate'], 'Bearer')
    t.notOk('upgrade' in answer.headers)
    t.equal(await socket.nextFrame(), null, 'and the connection is closed')
  }
})

securityCase('WSK-05', async (t) => {
  const { open, status, own } = await talkApp(t)
  const { answer, socket } = await open({ ...own, ...bearer('alice') }, '/talk/guarded')
  t.equal(answer.status, 403)
  t.match(JSON.parse(answer.body), { code: 'SVC_SEC_DENIED' })
  t.equal(await socket.nextFrame(), null, 'and the connection is closed')
  t.equal(await status({ ...own, ...bearer('alice/ROLE_USER') }, '/talk/guarded'), 101)
})

securityCase(
  'WSK-06',
  async (t) => {
    const { open, lines } = await talkApp(t)
    const byQuery = await open({}, '/talk/who?access_token=alice-secret')
    t.equal(byQuery.answer.status, 401)
    const byProtocol = await open({ 'sec-websocket-protocol': 'bearer, alice-secret' })
    t.equal(byProtocol.answer.status, 401)
    t.notOk('sec-websocket-protocol' in byProtocol.answer.headers)
    t.ok(lines.length > 2)
    t.notMatch(JSON.stringify(lines), 'alice-secret')
  },
  'not read, and in no log'
)

securityCase('WSK-09', async (t) => {
  const { status, own } = await talkApp(t)
  for (const target of ['/%74alk/who', 'http://evil/talk/who', 'http://evil/%74alk/%77ho']) {
    t.equal(await status(own, target), 401, target)
    t.equal(await status({ ...own, ...bearer('alice') }, target), 101, target)
  }
})

securityCase('WSK-10', async (t) => {
  let admit: () => void = () => undefined
  const admitted = new Promise<void>((resolve) => {
    admit = resolve
  })
  let entered: () => void = () => undefined
  const entering = new Promise<void>((resolve) => {
    entered = resolve
  })
  const plain = PlainCredential.bearer()
  const slow: Authenticator<string> = {
    carrier: 'authorization',
    supports: (ctx) => plain.supports(ctx),
    createToken: (ctx) => plain.createToken(ctx),
    authenticate: async (credential) => {
      entered()
      await admitted
      return plain.authenticate(credential)
    }
  }
  const { open, own, port } = await talkApp(t, { authenticators: { bearer: slow as Authenticator } })
  const frames = Buffer.concat(['first', 'second'].map((payload) => encodeFrame({ opcode: TEXT, payload })))
  const opening = open({ ...own, ...bearer('alice/ROLE_USER') }, '/talk/guarded', frames)
  await entering
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resume) => setImmediate(resume))
  admit()
  const { answer, socket } = await opening
  t.equal(answer.status, 101)
  t.same(await socket.nextJson(), { echo: 'first' })
  t.same(await socket.nextJson(), { echo: 'second' })
  const refused = await RawWebSocket.open(t, port, '/talk/guarded', bearer('!'), frames)
  t.equal(refused.answer.status, 401)
  t.equal(await refused.socket.nextFrame(), null, 'a refused caller gets no answer to its frames')
})

securityCase(
  'WSK-22',
  async (t) => {
    const { open, status } = await talkApp(t)
    const speak = async (frame: Buffer) => {
      const { socket } = await open(bearer('alice'), '/talk/order')
      socket.write(frame)
      return socket
    }
    const errors: Array<[Buffer, object]> = [
      [encodeFrame({ opcode: TEXT, payload: '{"item":' }), { statusCode: 400, code: 'SVC_WS_JSON' }],
      [encodeFrame({ opcode: TEXT, payload: '' }), { statusCode: 400, code: 'SVC_WS_JSON' }],
      [encodeFrame({ opcode: TEXT, payload: '{"item":{}}' }), { statusCode: 400, code: 'SVC_HTTP_VALIDATION' }],
      [encodeFrame({ opcode: TEXT, payload: '{"item":"a","__proto__":{"x":1}}' }), { statusCode: 400 }],
      [encodeFrame({ opcode: TEXT, payload: '{"item":"a","constructor":{"prototype":{}}}' }), { statusCode: 400 }],
      [encodeFrame({ opcode: BINARY, payload: '{"item":"a"}' }), { statusCode: 415, code: 'SVC_WS_BINARY' }]
    ]
    for (const [frame, expected] of errors) {
      const socket = await speak(frame)
      t.match(await socket.nextJson(), expected)
      socket.sendText('{"item":"a"}')
      t.same(await socket.nextJson(), { ordered: 'a' }, 'the connection goes on')
    }
    const oversized = await speak(encodeFrame({ opcode: TEXT, claimed: 1_048_577n }))
    t.equal(await oversized.closeCode(), 1009)
    t.equal(await status(bearer('alice')), 101, 'the server lives on')
  },
  'an error frame; an oversized frame closes with 1009'
)
