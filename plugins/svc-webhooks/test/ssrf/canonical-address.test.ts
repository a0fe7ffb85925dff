/** One spelling per address, and what is no address at all. */
import t from 'tap'
import { canonicalAddress } from '../../src/ssrf/canonical-address.ts'

const rows: readonly [text: string, address: string | null, family?: 4 | 6][] = [
  ['8.8.8.8', '8.8.8.8', 4],
  ['::ffff:8.8.8.8', '8.8.8.8', 4],
  ['::FFFF:808:808', '8.8.8.8', 4],
  ['0:0:0:0:0:ffff:7f00:1', '127.0.0.1', 4],
  ['0000:0000:0000:0000:0000:ffff:7f00:0001', '127.0.0.1', 4],
  ['::ffff:0.0.0.0', '0.0.0.0', 4],
  ['::ffff:0:1', '0.0.0.1', 4],
  ['::ffff:255.255.255.255', '255.255.255.255', 4],
  ['::ffff:0:7f00:1', '::ffff:0:7f00:1', 6],
  ['::127.0.0.1', '::7f00:1', 6],
  ['64:ff9b::7f00:1', '64:ff9b::7f00:1', 6],
  ['1::ffff:7f00:1', '1::ffff:7f00:1', 6],
  ['::', '::', 6],
  ['::1', '::1', 6],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', 6],
  ['fe80::1%eth0', null],
  ['2606:4700::1111%1', null],
  ['::ffff:8.8.8.8%1', null],
  ['', null],
  ['127.1', null],
  ['0x7f.0.0.1', null],
  ['0177.0.0.1', null],
  ['127.0.0.1 ', null],
  ['127.0.0.1\u0000', null],
  ['[::1]', null],
  ['localhost', null]
]

for (const [text, address, family] of rows) {
  t.strictSame(canonicalAddress(text), address === null ? null : { address, family }, JSON.stringify(text))
}
