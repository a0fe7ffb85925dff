/** Uploads over HTTP: what is stored, what is refused, and that nothing of it stays. */
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardHooks } from 'svc-kernel'
import t from 'tap'
import { DiskContent } from '../../src/content/disk-content.ts'
import type { SvcFilesOptions, UploadRules } from '../../src/index.ts'
import { aFile, dial, type FilesApp, FORM, filesApp, form, head, post, until } from '../support/files-app.ts'

/** Nothing of a refused form is stored, on disk or in the records. */
async function nothingStays({ app, onDisk }: FilesApp): Promise<boolean> {
  return onDisk().length === 0 && (await app.files.in('acme').usage()) === 0
}

t.test('a form is stored as it was sent', async (t) => {
  const fields = { title: { type: 'string' }, count: { type: 'integer' } }
  const { app, onDisk } = await filesApp(t, { rules: { fields, required: ['title'], maxFiles: 2 } })
  const bytes = Buffer.alloc(300_000, 'x')
  const answer = await post(
    app,
    form(
      { name: 'title', value: 'Two' },
      aFile(bytes, '../../évil\u202e.txt'),
      { name: 'count', value: '3' },
      { name: 'other', value: 'left out' },
      aFile('second', 'b.txt')
    )
  )
  t.equal(answer.statusCode, 200, answer.body)
  const { files, fields: read } = answer.json()
  t.strictSame(read, { title: 'Two', count: 3 })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  t.match(files, [
    { name: 'évil.txt', type: 'text/plain', bytes: 300_000, sha256, owner: null },
    { name: 'b.txt', bytes: 6 }
  ])
  t.strictSame(onDisk().sort(), files.map(({ id }: { id: string }) => id).sort())
})

t.test('what is refused, with which code, and nothing stays', async (t) => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const big = 'x'.repeat(1001)
  const cases: readonly (readonly [string, number, string, UploadRules, Buffer, Record<string, string>?])[] = [
    ['a large file', 413, 'SVC_FILES_TOO_LARGE', { maxBytes: 1000 }, form(aFile(big))],
    ['a large second file', 413, 'SVC_FILES_TOO_LARGE', { maxBytes: 1000, maxFiles: 2 }, form(aFile('a'), aFile(big))],
    ['too many files', 413, 'SVC_FILES_FORM_TOO_LARGE', { maxFiles: 1 }, form(aFile('a'), aFile('b'))],
    ['a large field', 413, 'SVC_FILES_FORM_TOO_LARGE', {}, form(aFile('a'), { name: 'f', value: 'x'.repeat(70_000) })],
    ['another type', 415, 'SVC_FILES_TYPE', { types: ['image/*'] }, form(aFile('<svg>', 'a.svg', 'text/html'))],
    ['a false type', 415, 'SVC_FILES_TYPE', { types: ['image/png'] }, form(aFile('text', 'a.png', 'image/png'))],
    ['a hidden type', 415, 'SVC_FILES_TYPE', { types: ['text/plain'] }, form(aFile(png, 'a.txt', 'text/plain'))],
    ['no file', 400, 'SVC_FILES_NONE', {}, form({ name: 'f', value: 'x' })],
    ['an empty control', 400, 'SVC_FILES_NONE', {}, form(aFile('', ''))],
    ['a form that ends early', 400, 'SVC_FILES_FORM', {}, form(aFile('text')).subarray(0, -12)],
    ['no boundary', 400, 'SVC_FILES_FORM', {}, form(aFile('text')), { 'content-type': 'multipart/form-data' }],
    ['a field of Object', 400, 'SVC_FILES_FORM', {}, form(aFile('a'), { name: '__proto__', value: 'x' })],
    ['no form', 415, 'SVC_FILES_NOT_A_FORM', {}, Buffer.from('{}'), { 'content-type': 'application/json' }],
    [
      'a missing field',
      400,
      'FST_ERR_VALIDATION',
      { fields: { f: { type: 'string' } }, required: ['f'] },
      form(aFile('a'))
    ],
    ['no scope', 500, 'SVC_FILES_NO_SCOPE', {}, form(aFile('a')), { 'x-scope': '' }]
  ]
  for (const [name, status, code, rules, payload, headers] of cases) {
    const given = await filesApp(t, { rules })
    const answer = await post(given.app, payload, headers)
    t.match([answer.statusCode, answer.json().code], [status, code], `${name}: ${answer.body}`)
    t.ok(await nothingStays(given), name)
  }
})

t.test('a quota is kept, before the body is read and while it is', async (t) => {
  const options: SvcFilesOptions = { quota: { scopeBytes: 1000 } }
  const given = await filesApp(t, { options, rules: { maxBytes: 100_000 } })
  const { app } = given
  t.equal((await post(app, form(aFile('x'.repeat(900))))).statusCode, 200)
  const early = await post(app, Buffer.concat([form(aFile('a')), Buffer.alloc(20_000)]))
  t.match([early.statusCode, early.json().code], [413, 'SVC_FILES_QUOTA'])
  const late = await post(app, form(aFile('x'.repeat(101))))
  t.match([late.statusCode, late.json().code], [413, 'SVC_FILES_QUOTA'])
  t.equal(await app.files.in('acme').usage(), 900)
  t.equal((await post(app, form(aFile('x'.repeat(100))))).statusCode, 200, 'what is left')
  t.equal((await post(app, form(aFile('x')))).statusCode, 413, 'nothing is left')
  t.equal((await post(app, form(aFile('x')), { 'x-scope': 'globex' })).statusCode, 200, 'of another scope')
})

t.test('files that come at once do not exceed a quota together', async (t) => {
  const { app } = await filesApp(t, { options: { quota: { scopeBytes: 1000, ownerBytes: 500 } } })
  const acme = app.files.in('acme')
  const one = (owner: string) => acme.put([Buffer.alloc(120)], { name: 'a', owner, maxBytes: 200 })
  const owners = ['ada', 'bob', 'eve'].flatMap((owner) => Array.from({ length: 8 }, () => owner))
  await Promise.allSettled(owners.map(one))
  for (const owner of ['ada', 'bob', 'eve']) t.ok((await acme.usage(owner)) <= 500, owner)
  t.ok((await acme.usage()) <= 1000)
  const total = (await acme.list()).reduce((sum, { bytes }) => sum + bytes, 0)
  t.equal(await acme.usage(), total)
  await t.rejects(acme.put([Buffer.alloc(501)], { name: 'a', owner: 'new', maxBytes: 600 }), {
    code: 'SVC_FILES_QUOTA',
    statusCode: 413,
    message: /owner may have 500|scope may have 1000/
  })
})

t.test('a guard decides before a byte of the body is read, and nothing is reserved', async (t) => {
  const given = await filesApp(t, {
    prepare: (app) => {
      const hooks = guardHooks([[{ attribute: 'ROLE_USER', subject: null }]] as never)
      app.post('/guarded', { ...hooks }, async (request) => app.files.upload(request, {}))
    }
  })
  const socket = await dial(t, given.app)
  // The body is announced, and never sent.
  socket.write(
    `POST /guarded HTTP/1.1\r\nhost: a\r\nx-scope: acme\r\ncontent-type: ${FORM['content-type']}\r\ncontent-length: 1000000\r\n\r\n`
  )
  await until(() => socket.text().includes('\r\n\r\n'))
  t.match(socket.text(), /^HTTP\/1\.1 403 /)
  t.ok(await nothingStays(given))
})

t.test('a quota and a length are judged before a byte of the body is read', async (t) => {
  const given = await filesApp(t, { options: { quota: { scopeBytes: 10 } }, rules: { maxBytes: 2_000_000 } })
  for (const [length, code] of [
    [1_000_000, 'SVC_FILES_QUOTA'],
    [3_000_000, 'SVC_FILES_TOO_LARGE']
  ] as const) {
    const socket = await dial(t, given.app)
    socket.write(
      `POST /files HTTP/1.1\r\nhost: a\r\nx-scope: acme\r\ncontent-type: ${FORM['content-type']}\r\ncontent-length: ${length}\r\n\r\n`
    )
    await until(() => socket.text().includes(code))
    t.match(socket.text(), /^HTTP\/1\.1 413 /)
  }
  t.ok(await nothingStays(given))
})

t.test('a client that goes away half way leaves nothing', async (t) => {
  const given = await filesApp(t)
  const socket = await dial(t, given.app)
  const headers = `POST /files HTTP/1.1\r\nhost: a\r\nx-scope: acme\r\ncontent-type: ${FORM['content-type']}\r\n`
  socket.write(`${headers}content-length: 1000000\r\n\r\n`)
  socket.write(Buffer.concat([head(aFile('')), Buffer.alloc(200_000, 'x')]))
  await until(() => given.onDisk().length === 1)
  t.ok((await given.app.files.in('acme').usage()) > 0, 'its share is reserved')
  socket.destroy()
  await until(() => nothingStays(given))
  t.equal((await post(given.app, form(aFile('next')))).statusCode, 200)
})

t.test('a client that stays gets the answer although it has more to send', async (t) => {
  const given = await filesApp(t, { rules: { maxBytes: 1000 } })
  const socket = await dial(t, given.app)
  socket.write(
    `POST /files HTTP/1.1\r\nhost: a\r\nx-scope: acme\r\ntransfer-encoding: chunked\r\ncontent-type: ${FORM['content-type']}\r\n\r\n`
  )
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  socket.write(chunk(head(aFile(''))))
  for (let sent = 0; sent < 50; sent += 1) socket.write(chunk(Buffer.alloc(60_000, 'x')))
  await until(() => socket.text().includes('SVC_FILES_TOO_LARGE'))
  t.match(socket.text(), /^HTTP\/1\.1 413 /)
  t.ok(await nothingStays(given))
})

t.test('a full disk is answered with 507, a failing one with 503, and nothing stays', async (t) => {
  for (const [code, status, answered] of [
    ['ENOSPC', 507, 'SVC_FILES_FULL'],
    ['EIO', 503, 'SVC_FILES_UNAVAILABLE']
  ] as const) {
    const fault = Object.assign(new Error(`${code}: /secret/place`), { code })
    const folder = mkdtempSync(join(tmpdir(), 'svc-files-'))
    t.teardown(() => nodeFiles.rm(folder, { recursive: true }))
    const content = new DiskContent(folder, { ...nodeFiles, rename: () => Promise.reject(fault) })
    const given = await filesApp(t, { parts: { content } })
    const answer = await post(given.app, form(aFile('text')))
    t.match([answer.statusCode, answer.json().code], [status, answered])
    t.notMatch(answer.body, 'secret')
    t.equal(await given.app.files.in('acme').usage(), 0)
  }
})

t.test('staged files are found once they are kept', async (t) => {
  const { app } = await filesApp(t, { rules: { stage: true } })
  const { files } = (await post(app, form(aFile('text')))).json()
  const acme = app.files.in('acme')
  t.equal(await acme.get(files[0].id), null)
  await t.rejects(app.files.in('globex').keep(files[0].id), { code: 'SVC_FILES_NOT_FOUND' })
  await acme.keep(files[0].id)
  t.strictSame(await acme.get(files[0].id), files[0])
  await t.rejects(acme.keep(files[0].id), { code: 'SVC_FILES_NOT_FOUND' })
})
