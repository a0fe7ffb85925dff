/** Which addresses are one caller. */
import t from 'tap'
import { clientNetwork } from '../../src/plugin.ts'

const rows: Array<[ip: string | undefined, network: string]> = [
  ['127.0.0.1', '127.0.0.1'],
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', 'unknown'],
  [undefined, 'unknown'],
  ['localhost', 'unknown'],
  ['203.0.113.9, 10.0.0.1', 'unknown']
]
for (const [ip, network] of rows) t.test(`"${ip}"`, async (t) => t.equal(clientNetwork(ip), network))
