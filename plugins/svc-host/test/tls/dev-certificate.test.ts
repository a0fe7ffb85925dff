/** The certificate of development: made once, kept for its owner, renewed in time. */
import { X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { assertServes, devCertificate } from '../../src/tls/dev-certificate.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2031-05-05T00:00:00Z')
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS)

t.test('it is made for this machine, and kept for its owner alone', async (t) => {
  const folder = t.testdir()
  const made = await devCertificate(folder, NOW)
  assertServes(made)
  const certificate = new X509Certificate(made.cert)
  t.equal(certificate.subjectAltName, 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
  t.equal(certificate.ca, false)
  t.equal(Date.parse(certificate.validTo), later(365).getTime())
  const names = readdirSync(join(folder, '.svc')).sort()
  t.strictSame(names, ['dev-certificate.crt.pem', 'dev-certificate.key.pem'], 'no drafts are left')
  for (const name of names) t.equal(statSync(join(folder, '.svc', name)).mode & 0o777, 0o600)
  t.equal(statSync(join(folder, '.svc')).mode & 0o777, 0o700)
  t.equal(readFileSync(join(folder, '.svc', 'dev-certificate.key.pem'), 'utf8'), made.key)
  t.notOk('decorate' in Reflect, 'the library did not change how decorators are applied here')
})

t.test('when it is made anew', async (t) => {
  const folder = t.testdir()
  const first = await devCertificate(folder, NOW)
  t.strictSame(await devCertificate(folder, later(357)), first, 'eight days before its end it is used')
  const second = await devCertificate(folder, later(359))
  t.not(second.cert, first.cert, 'six days before its end it is not')
  t.strictSame(await devCertificate(folder, later(360)), second)
  const third = await devCertificate(folder, later(2000))
  t.not(third.cert, second.cert, 'expired')
  t.not((await devCertificate(folder, NOW)).cert, third.cert, 'not valid yet: the clock was wrong')
})

t.test('what lies there and does not serve is replaced', async (t) => {
  const other = await devCertificate(t.testdir({ other: {} }), NOW)
  for (const [title, key, cert] of [
    ['the key of another', other.key, undefined],
    ['the certificate of another', undefined, other.cert],
    ['no PEM', 'key', 'certificate'],
    ['nothing', '', '']
  ] as const) {
    const folder = join(t.testdirName, title)
    mkdirSync(folder)
    const before = await devCertificate(folder, NOW)
    if (key !== undefined) writeFileSync(join(folder, '.svc/dev-certificate.key.pem'), key)
    if (cert !== undefined) writeFileSync(join(folder, '.svc/dev-certificate.crt.pem'), cert)
    const after = await devCertificate(folder, NOW)
    assertServes(after)
    t.notSame(after, before, title)
    t.notSame(after, other, title)
    t.strictSame(await devCertificate(folder, NOW), after, title)
  }
})

t.test('a folder that takes no files', async (t) => {
  const folder = t.testdir({ '.svc': 'a file' })
  await t.rejects(devCertificate(folder, NOW), { code: /EEXIST|ENOTDIR/ })
})
