/** What a user agent says of a device, as a table. */
import t from 'tap'
import { deviceOf } from '../../src/sessions/device.ts'

const rows: Array<[agent: string, device: string | null]> = [
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'Chrome on Linux'
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18.1 Safari/605.1', 'Safari on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604',
    'Safari on iPhone'
  ],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605 FxiOS/140.0 Mobile Safari/605', 'Firefox on iPad'],
  ['Mozilla/5.0 (iPod touch; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit CriOS/140.0', 'Chrome on iPhone'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 EdgiOS/140.0 Safari/604', 'Edge on iPhone'],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 EdgA/140.0',
    'Edge on Android'
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/64.0 Safari/537.36 Edge/17.17134', 'Edge on Windows'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit Chrome/140.0 Safari/537.36 OPR/120.0', 'Opera on ChromeOS'],
  ['Opera/9.80 (Macintosh; Intel) Presto/2.12', 'Opera on macOS'],
  ['Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 Chrome/130.0', 'Samsung Internet on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0', 'Chrome on Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chromium/140.0', 'Chrome on Linux'],
  ['Mozilla/5.0 (Unknown) AppleWebKit/605 Safari/605.1', null],
  ['Mozilla/5.0 (Windows NT 10.0)', 'Windows'],
  ['axios/1.7.2', 'Node.js'],
  ['undici', 'Node.js'],
  ['got (https://github.com/sindresorhus/got)', 'Node.js'],
  ['Node', 'Node.js'],
  ['nodeless', null],
  ['my node client', null],
  ['xcurl/1 MyFirefox/1 NotChrome/1 LikeEdg/1 ', null],
  ['curl/8.5.0', 'curl'],
  ['node', 'Node.js'],
  ['<script>alert(1)</script>', null],
  ['', null]
]

for (const [agent, device] of rows)
  t.test(`${device}: ${agent.slice(0, 40)}`, async (t) => t.equal(deviceOf(agent), device))
