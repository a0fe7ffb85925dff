/** Who counts as a program of the same machine. */
import t from 'tap'
import { fromLoopback } from '../../src/metrics/metrics.routes.ts'

const host = '127.0.0.1:5151'

const rows: [
  name: string,
  address: string | undefined,
  headers: Record<string, string | string[]>,
  expected: boolean
][] = [
  ['IPv4', '127.0.0.1', { host }, true],
  ['elsewhere in 127/8', '127.8.9.1', { host: 'localhost' }, true],
  ['IPv6', '::1', { host: '[::1]:5151' }, true],
  ['mapped', '::ffff:127.0.0.1', { host: 'LOCALHOST:5151' }, true],
  ['another machine', '10.0.0.9', { host }, false],
  ['another machine, mapped', '::ffff:10.0.0.9', { host }, false],
  ['no address', undefined, { host }, false],
  ['a name that begins alike', '127.0.0.1', { host: 'localhost.evil.example' }, false],
  ['a page that was led here', '127.0.0.1', { host: 'evil.example:5151' }, false],
  ['no host', '127.0.0.1', {}, false],
  ['a proxy that says so', '127.0.0.1', { host, 'x-forwarded-for': '8.8.8.8' }, false],
  ['a proxy, by the standard', '127.0.0.1', { host, forwarded: 'for=8.8.8.8' }, false],
  ['a proxy, by another header', '127.0.0.1', { host, 'x-real-ip': '8.8.8.8' }, false],
  ['a proxy that names itself', '127.0.0.1', { host, via: '1.1 nginx' }, false],
  ['an empty header of a proxy', '127.0.0.1', { host, 'x-forwarded-for': '' }, false],
  ['not an address at all', '127.0.0.1.evil', { host }, false]
]

for (const [name, remoteAddress, headers, expected] of rows) {
  t.test(name, async (t) => {
    t.equal(fromLoopback({ remoteAddress, headers }), expected)
  })
}
