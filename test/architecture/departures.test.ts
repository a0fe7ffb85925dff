/** Each departure from the specification names the test that holds it; the page names none that is gone. */
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const PAGE = 'docs/decisions/departures.md'

t.test('C27: fifteen departures, each with a sentence, a reason and a test that is there', async (t) => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:the specification says|---)/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
  t.equal(rows.length, 15)
  for (const [sentence, happens, why, test] of rows) {
    t.ok(sentence && happens && why, String(sentence))
    const [, path = ''] = /^`(.+)`$/.exec(test ?? '') ?? []
    t.ok(existsSync(path), `${sentence}: ${path}`)
  }
})
