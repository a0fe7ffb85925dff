/** Downloads over HTTP: headers, ranges, conditions, and clients that go away. */
import { Readable } from 'node:stream'
import t from 'tap'
import { DiskContent } from '../../src/content/disk-content.ts'
import type { FileContent } from '../../src/index.ts'
import { dial, filesApp, until } from '../support/files-app.ts'

const SCOPE = { 'x-scope': 'acme' }

t.test('a file is sent with what a client and a browser need', async (t) => {
  const { app } = await filesApp(t)
  const file = await app.files.in('acme').put([Buffer.from('<script>')], { name: 'über.html', type: 'text/html' })
  const answer = await app.inject({ url: `/files/${file.id}`, headers: SCOPE })
  t.equal(answer.statusCode, 200)
  t.equal(answer.body, '<script>')
  t.match(answer.headers, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': '8',
    'content-disposition': 'attachment; filename="_ber.html"; filename*=UTF-8\'\'%C3%BCber.html',
    'accept-ranges': 'bytes',
    etag: `"${file.sha256}"`,
    'last-modified': new Date(file.createdAt).toUTCString(),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /(^|; )sandbox$/
  })
  const png = await app.files.in('acme').put([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], { name: 'a.png' })
  const shown = await app.inject({ url: `/files/${png.id}`, headers: SCOPE })
  t.match(shown.headers, { 'content-type': 'image/png', 'content-disposition': 'inline; filename="a.png"' })
})

t.test('ranges, conditions and HEAD', async (t) => {
  const { app } = await filesApp(t)
  const { id, sha256 } = await app.files.in('acme').put([Buffer.from('0123456789')], { name: 'a', type: 'text/plain' })
  const tag = `"${sha256}"`
  type Case = readonly [headers: Record<string, string>, status: number, body: string, more?: Record<string, unknown>]
  const cases: readonly Case[] = [
    [{}, 200, '0123456789', { 'content-length': '10' }],
    [{ range: 'bytes=2-4' }, 206, '234', { 'content-range': 'bytes 2-4/10', 'content-length': '3' }],
    [{ range: 'bytes=-2' }, 206, '89', { 'content-range': 'bytes 8-9/10' }],
    [{ range: 'bytes=0-1,3-4' }, 200, '0123456789'],
    [{ range: 'bytes=2-4', 'if-range': tag }, 206, '234'],
    [{ range: 'bytes=2-4', 'if-range': '"old"' }, 200, '0123456789'],
    [{ 'if-none-match': tag }, 304, '', { etag: tag, 'content-type': undefined }],
    [{ 'if-none-match': tag, range: 'bytes=0-1' }, 304, ''],
    [{ 'if-match': tag }, 200, '0123456789']
  ]
  for (const [headers, status, body, more = {}] of cases) {
    const answer = await app.inject({ url: `/files/${id}`, headers: { ...SCOPE, ...headers } })
    t.match([answer.statusCode, answer.body], [status, body], JSON.stringify(headers))
    t.match(answer.headers, more, JSON.stringify(headers))
  }
  const beyond = await app.inject({ url: `/files/${id}`, headers: { ...SCOPE, range: 'bytes=10-' } })
  t.match([beyond.statusCode, beyond.json().code], [416, 'SVC_FILES_RANGE'])
  t.equal(beyond.headers['content-range'], 'bytes */10')
  const changed = await app.inject({ url: `/files/${id}`, headers: { ...SCOPE, 'if-match': '"old"' } })
  t.match([changed.statusCode, changed.json().code], [412, 'SVC_FILES_CONDITION'])
  const headed = await app.inject({ method: 'HEAD', url: `/files/${id}`, headers: { ...SCOPE, range: 'bytes=2-4' } })
  t.match([headed.statusCode, headed.body], [200, ''])
  t.match(headed.headers, { 'content-length': '10', etag: tag, 'accept-ranges': 'bytes' })
})

t.test('an empty file is sent', async (t) => {
  const { app } = await filesApp(t)
  const { id } = await app.files.in('acme').put([], { name: 'empty' })
  const answer = await app.inject({ url: `/files/${id}`, headers: SCOPE })
  t.match([answer.statusCode, answer.body, answer.headers['content-length']], [200, '', '0'])
  const ranged = await app.inject({ url: `/files/${id}`, headers: { ...SCOPE, range: 'bytes=0-' } })
  t.equal(ranged.statusCode, 416)
})

/** Keeps nothing; what is read of it has no end, and is counted. */
class EndlessContent implements FileContent {
  readonly open = new Set<Readable>()
  sent = 0

  async write(_id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const _ of content);
  }

  async read(): Promise<Readable> {
    const stream = new Readable({
      read: (size) => {
        this.sent += size
        stream.push(Buffer.alloc(size))
      }
    })
    this.open.add(stream)
    stream.once('close', () => this.open.delete(stream))
    return stream
  }

  async remove(): Promise<void> {}
  async check(): Promise<void> {}
}

t.test('a client that reads no more stops the source, and one that goes away closes it', async (t) => {
  const content = new EndlessContent()
  const { app } = await filesApp(t, { parts: { content }, options: { maxBytes: 200_000_000 } })
  const large = Array.from({ length: 100 }, () => Buffer.alloc(1_000_000))
  const { id } = await app.files.in('acme').put(large, { name: 'large' })
  const socket = await dial(t, app)
  socket.pause()
  socket.write(`GET /files/${id} HTTP/1.1\r\nhost: a\r\nx-scope: acme\r\n\r\n`)
  await until(() => content.sent > 0)
  let before = -1
  // Buffers of both ends are full once nothing more is sent through many turns of the loop.
  for (let quiet = 0; quiet < 2000; quiet = before === content.sent ? quiet + 1 : 0) {
    before = content.sent
    await new Promise((done) => setImmediate(done))
  }
  t.ok(content.sent < 50_000_000, `${content.sent} bytes were read`)
  t.equal(content.open.size, 1)
  socket.destroy()
  await until(() => content.open.size === 0)
})

t.test('content that is missing is an error, and never a short answer', async (t) => {
  const content = new EndlessContent() as FileContent
  const { app } = await filesApp(t, {
    parts: { content: { ...plain(content), read: new DiskContent('/nowhere').read.bind(new DiskContent('/nowhere')) } }
  })
  const { id } = await app.files.in('acme').put([Buffer.from('text')], { name: 'a' })
  const answer = await app.inject({ url: `/files/${id}`, headers: SCOPE })
  t.match([answer.statusCode, answer.json().code], [500, 'SVC_FILES_CONTENT_MISSING'])
  t.equal(answer.headers.etag, undefined)
})

function plain(content: FileContent): Omit<FileContent, 'read'> {
  return {
    write: (...given) => content.write(...given),
    remove: (...given) => content.remove(...given),
    check: () => content.check()
  }
}
