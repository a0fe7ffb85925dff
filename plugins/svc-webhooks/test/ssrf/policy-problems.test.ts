/** Networks that may be opened, those that never are, and what is none. */
import t from 'tap'
import { networkProblems } from '../../src/ssrf/policy-problems.ts'

const FORM = /written with its first address/
const CLOSED = /which stay closed/

const rows: [cidr: string, expected: RegExp | null][] = [
  ['10.0.0.0/8', null],
  ['127.0.0.0/8', null],
  ['192.168.1.7/32', null],
  ['100.64.0.0/10', null],
  ['0.0.0.0/0', null],
  ['fd00::/8', null],
  ['::1/128', null],
  ['8.8.8.0/24', null],
  ['169.254.0.0/16', CLOSED],
  ['169.254.169.254/32', CLOSED],
  ['100.100.100.200/32', CLOSED],
  ['fe80::/10', CLOSED],
  ['64:ff9b::/96', null],
  ['2002::/16', null],
  ['2002:a9fe::/32', CLOSED],
  ['64:ff9b::a9fe:0/112', CLOSED],
  ['10.0.0.0', FORM],
  ['10.0.0.0/33', FORM],
  ['10.0.0.1/8', FORM],
  ['everything', FORM],
  ['', FORM]
]

for (const [cidr, expected] of rows) {
  t.test(cidr || '(empty)', async (t) => {
    const problems = networkProblems(['10.1.0.0/16', cidr])
    if (expected === null) t.strictSame(problems, [])
    else t.match(problems, [{ code: 'SVC_WEBHOOKS_BAD_CIDR', at: 'svc-webhooks.allowCidrs[1]', expected }])
    t.equal(problems.length, expected === null ? 0 : 1)
  })
}

t.test('all of them together', async (t) => {
  t.strictSame(
    networkProblems(['x', '10.0.0.0/8', '169.254.0.0/16']).map(({ at }) => at),
    ['svc-webhooks.allowCidrs[0]', 'svc-webhooks.allowCidrs[2]']
  )
})
