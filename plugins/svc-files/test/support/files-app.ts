/** An application with files on disk, whose scope is in a header, and the forms that are sent to it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Test } from 'tap'
import svcFiles, {
  download,
  type SvcFilesOptions,
  type SvcFilesParts,
  type UploadRules,
  upload
} from '../../src/index.ts'

export interface FilesApp {
  readonly app: FastifyInstance
  /** Names of all files on disk, unfinished ones too. */
  onDisk(): string[]
}

interface Given {
  readonly options?: SvcFilesOptions
  readonly parts?: SvcFilesParts
  readonly rules?: UploadRules
  readonly prepare?: (app: FastifyInstance) => unknown
}

const ofHeader = (request: FastifyRequest) => (request.headers['x-scope'] as string | undefined) ?? null

export async function filesApp(
  t: Test,
  { options = {}, parts = {}, rules = {}, prepare }: Given = {}
): Promise<FilesApp> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-files-'))
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(async () => {
    await app.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const place = parts.content === undefined ? { disk: { directory } } : {}
  const scope = options.scope === undefined ? { scope: ofHeader } : {}
  await app.register(svcFiles, { ...place, ...options, parts: { ...scope, ...parts } })
  await prepare?.(app)
  app.post('/files', upload(rules), async (request) => app.files.upload(request))
  app.get<{ Params: { id: string } }>('/files/:id', download(), async (request, reply) => {
    return reply.file(request.params.id, { inline: ['image/png'] })
  })
  app.delete<{ Params: { id: string } }>('/files/:id', async ({ params }) => app.files.remove(params.id))
  const onDisk = () =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  return { app, onDisk }
}

/** A part of a form; without `filename` a field. */
export interface Part {
  readonly name: string
  readonly filename?: string
  readonly type?: string
  readonly value: string | Buffer
}

export const FORM = { 'content-type': 'multipart/form-data; boundary=svc' }

export function form(...parts: readonly Part[]): Buffer {
  const encoded = parts.flatMap((part) => [head(part), Buffer.from(part.value), Buffer.from('\r\n')])
  return Buffer.concat([...encoded, Buffer.from('--svc--\r\n')])
}

export function head({ name, filename, type = 'text/plain' }: Omit<Part, 'value'>): Buffer {
  const file = filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: ${type}`
  return Buffer.from(`--svc\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`)
}

export const aFile = (value: string | Buffer, filename = 'a.txt', type?: string): Part => ({
  name: 'file',
  filename,
  value,
  ...(type === undefined ? {} : { type })
})

/** Sends a form of the scope `acme`, unless the headers say otherwise. */
export async function post(app: FastifyInstance, payload: Buffer, headers: Record<string, string> = {}) {
  return app.inject({ method: 'POST', url: '/files', headers: { 'x-scope': 'acme', ...FORM, ...headers }, payload })
}

/** A raw connection; what it received so far is `text()`. */
export async function dial(t: Test, app: FastifyInstance): Promise<Socket & { text(): string }> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  socket.on('error', () => undefined)
  await new Promise((done) => socket.once('connect', done))
  return Object.assign(socket, { text: () => Buffer.concat(received).toString('latin1') })
}

/** Until it holds; the runner's time ends a wait that never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((done) => setImmediate(done))
}
