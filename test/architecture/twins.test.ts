/** Drivers of one port have the same folders. */
import t from 'tap'
import { describeFindings } from './finding.ts'
import { noFindings } from './no-findings.ts'
import { readFiles } from './repository.ts'
import { twinFindings } from './twins.ts'

const twins = { a: ['engines'], b: [] }

t.test('a folder that the twin does not have is named for both', async (t) => {
  const same = [
    'plugins/a/src/table/x.ts',
    'plugins/a/src/engines/y.ts',
    'plugins/b/src/table/z.ts',
    'plugins/a/src/c.ts'
  ]
  t.strictSame(twinFindings(same, twins), [])
  const found = describeFindings(
    twinFindings([...same, 'plugins/b/src/gateway/z.ts', 'plugins/a/src/rows/r.ts'], twins)
  )
  t.match(found, [/^plugins\/b\/src has no folder rows/, /^plugins\/a\/src has no folder gateway/])
})

t.test('this repository', async (t) => {
  const paths = readFiles('plugins/*/src/**/*.ts').map(({ path }) => path)
  noFindings(t, twinFindings(paths), 'folders of twins')
})
