/**
 * The ten packages that the project is a distribution of are at work in an application of the preset `full` on documents:
 * nine in the running server, once it serves a login, a Typegoose class and a webhook; tap in its tests.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { freePort } from '../support/ports.ts'
import { Running, repository, svcBin } from '../support/svc-command.ts'
import { until } from '../support/until.ts'
import { PresetApp } from './preset-app.ts'

const NOTE = join(repository, 'test/dist/support/note-loads.js')
const PASSWORD = 'correct horse battery'
const API = '/svc/security/api'

const AT_START = [
  'fastify',
  '@fastify/websocket',
  '@fastify/cookie',
  '@fastify/session',
  '@fastify/mongodb',
  '@typegoose/typegoose',
  'mongoose',
  'fast-jwt'
]

t.test('C26: preset full runs the ten packages', async (t) => {
  const app = await PresetApp.create(t, 'full --database documents')
  const manifest = JSON.parse(readFileSync(join(app.folder, 'package.json'), 'utf8'))
  t.match(manifest, { devDependencies: { tap: String }, scripts: { test: /\btap\b/ } })
  t.match(readFileSync(join(app.folder, 'dist/test/hello.test.js'), 'utf8'), /from 'tap'/)

  await app.createUser('root', ['ROLE_SVC_ADMIN'], PASSWORD)
  const loads = join(app.folder, 'loads.txt')
  const port = await freePort()
  const env = { NODE_ENV: 'development', PORT: String(port), NOTE_LOADS: loads }
  const running = new Running(process.execPath, ['--import', NOTE, svcBin, 'start'], { cwd: app.folder, env })
  t.teardown(() => running.stop('SIGKILL'))
  await running.shows(/is ready at/)
  const url = `http://127.0.0.1:${port}`
  const loaded = () => new Set([...readFileSync(loads, 'utf8').matchAll(PACKAGE)].map(([, name]) => name))
  const started = loaded()
  for (const name of AT_START) t.ok(started.has(name), `${name} is at work`)

  const added = await send(url, '/api/bookmarks', { url: 'http://EXAMPLE.com' })
  t.match(await added.json(), { url: 'http://example.com/' }, 'the hook of the Typegoose class ran')
  t.equal((await send(url, '/api/bookmarks', { url: 'no address' })).status, 400)

  const login = await send(url, `${API}/auth/login`, { username: 'root', password: PASSWORD })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const me = (await (await fetch(`${url}${API}/auth/me`, { headers: { cookie } })).json()) as { csrfToken: string }
  const endpoint = { url: `http://127.0.0.1:${await freePort()}/hook`, events: ['login.failure'] }
  const registered = await send(url, `${API}/webhooks`, endpoint, { cookie, 'x-csrf-token': me.csrfToken })
  t.equal(registered.status, 201, await registered.text())
  t.equal((await send(url, `${API}/auth/login`, { username: 'root', password: 'wrong' })).status, 401)
  t.ok(await until(() => loaded().has('undici'), 'undici, which delivers'))
})

const PACKAGE = /\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//g

function send(url: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const json = { 'content-type': 'application/json', ...headers }
  return fetch(url + path, { method: 'POST', headers: json, body: JSON.stringify(body) })
}
