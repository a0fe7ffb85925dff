/** Which certificate https is served with, and what a person is told when there is none. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mode } from 'svc-kernel'
import t from 'tap'
import { checkConfig } from '../../src/config/check-config.ts'
import { type HttpsConfig, httpsTarget, type SvcConfig } from '../../src/config/define-config.ts'
import { listenProblem } from '../../src/serve/listen-problem.ts'
import { devCertificate } from '../../src/tls/dev-certificate.ts'
import { httpsCertificate } from '../../src/tls/https-certificate.ts'

const CODE = 'SVC_HTTPS_CERTIFICATE'

function withHttps(https: boolean | HttpsConfig, mode: Mode = 'development', host?: string): { config: SvcConfig } {
  return { config: { mode, server: { https, ...(host === undefined ? {} : { host }) }, modules: [] } }
}

t.test('where https listens', async (t) => {
  const setting = 'server.https'
  t.equal(httpsTarget({ config: { modules: [] } }), null)
  t.equal(httpsTarget(withHttps(false)), null)
  t.strictSame(httpsTarget(withHttps(true)), { host: '127.0.0.1', port: 5152, setting })
  t.strictSame(httpsTarget(withHttps(true, 'test', '::')), { host: '::', port: 5152, setting })
  t.strictSame(httpsTarget(withHttps({ host: '::1', port: 0 })), { host: '::1', port: 0, setting })
})

t.test('an address of https that cannot be had is named with its key', async (t) => {
  const target = { host: '192.0.2.1', port: 443, setting: 'server.https' }
  for (const [code, at, fix] of [
    ['EACCES', 'server.https.port', 'set server.https.port to 5152'],
    ['EADDRNOTAVAIL', 'server.https.host', 'set server.https.host to 127.0.0.1']
  ] as const) {
    t.match(await listenProblem({ code }, target, 'npm start'), { at, fix }, code)
  }
})

t.test('what is wrong before any file is read', async (t) => {
  const lacks = (message: string) => [{ code: CODE, at: 'server.https', message }]
  for (const [https, mode, problems] of [
    [true, 'development', []],
    [{ port: 0 }, 'test', []],
    [false, 'production', []],
    [{ key: 'k', cert: 'c' }, 'production', []],
    [true, 'production', lacks('https in production needs a key and a certificate')],
    [true, undefined, lacks('https in production needs a key and a certificate')],
    [{ key: 'k' }, 'production', lacks('https lacks a certificate')],
    [{ cert: 'c' }, 'development', lacks('https lacks a key')],
    [{ prot: 1 }, 'development', [{ at: 'server.https.prot', message: 'unknown key (did you mean port?)' }]],
    [{ port: 'x' }, 'development', [{ at: 'server.https.port', expected: 'a port from 0 to 65535' }]],
    [{ key: '' }, 'development', [{ at: 'server.https.key', expected: 'path of a PEM file' }]],
    ['yes', 'development', [{ at: 'server.https', got: '"yes"' }]]
  ] as const) {
    const found = checkConfig({ mode, server: { https }, modules: [] } as unknown as SvcConfig).problems
    t.match(found, problems, JSON.stringify(https))
    t.equal(found.length, problems.length, JSON.stringify(found))
  }
})

t.test('its own files, named from the folder of package.json', async (t) => {
  const folder = t.testdir({ 'package.json': '{}', dist: {}, tls: {} })
  const made = await devCertificate(join(folder, 'tls'))
  const own = { key: 'tls/.svc/dev-certificate.key.pem', cert: join(folder, 'tls/.svc/dev-certificate.crt.pem') }
  t.strictSame(await httpsCertificate({ ...withHttps(own, 'production'), root: join(folder, 'dist') }), made)
  t.notOk(existsSync(join(folder, '.svc')))
})

t.test('none of its own: that of development, made on first use', async (t) => {
  const folder = t.testdir({ 'package.json': '{}', dist: {} })
  const made = await httpsCertificate({ ...withHttps({ port: 0 }), root: join(folder, 'dist') })
  t.strictSame(await httpsCertificate({ ...withHttps(true), root: folder }), made)
  t.ok(existsSync(join(folder, '.svc/dev-certificate.key.pem')))
})

t.test('files that do not serve', async (t) => {
  const folder = t.testdir({ 'package.json': '{}', 'broken.pem': '-----BEGIN NOTHING-----', one: {}, two: {} })
  const one = await devCertificate(join(folder, 'one'))
  const two = await devCertificate(join(folder, 'two'))
  writeFileSync(join(folder, 'key.pem'), one.key)
  writeFileSync(join(folder, 'cert.pem'), one.cert)
  writeFileSync(join(folder, 'other.pem'), two.cert)
  for (const [key, cert, at, message] of [
    ['none.pem', 'cert.pem', 'server.https.key', /^cannot be read: ENOENT/],
    ['key.pem', 'none.pem', 'server.https.cert', /^cannot be read: ENOENT/],
    ['key.pem', 'one', 'server.https.cert', /^cannot be read: EISDIR/],
    ['broken.pem', 'cert.pem', 'server.https', /^key and certificate cannot be used for TLS: /],
    ['key.pem', 'broken.pem', 'server.https', /^key and certificate cannot be used for TLS: /],
    ['key.pem', 'other.pem', 'server.https', /^key and certificate cannot be used for TLS: .*mismatch/]
  ] as const) {
    const certificate = httpsCertificate({ ...withHttps({ key, cert }), root: folder })
    await t.rejects(certificate, { code: CODE, problems: [{ code: CODE, at, message }] }, `${key} and ${cert}`)
  }
})

t.test('a folder in which nothing can be kept', async (t) => {
  const root = t.testdir({ 'package.json': '{}', '.svc': 'a file' })
  const message = /^the development certificate cannot be created or stored: /
  await t.rejects(httpsCertificate({ ...withHttps(true), root }), { code: CODE, problems: [{ at: root, message }] })
})
