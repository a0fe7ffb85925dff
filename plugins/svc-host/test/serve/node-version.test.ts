/** Which versions of Node an application runs on. */
import t from 'tap'
import { nodeVersionProblem } from '../../src/serve/serve.ts'

const rows: ReadonlyArray<[version: string, runs: boolean]> = [
  ['20.20.2', false],
  ['23.11.1', false],
  ['24.0.0', true],
  ['24.21.0', true],
  ['100.0.0', true],
  ['25.0.0-nightly', true]
]

for (const [version, runs] of rows) {
  t.test(version, async (t) => {
    const problem = nodeVersionProblem(version)
    if (runs) t.equal(problem, null)
    else
      t.same(problem, {
        code: 'SVC_NODE_VERSION',
        message: `needs Node >= 24, running ${version}`,
        got: version,
        expected: '>= 24',
        fix: 'install Node 24'
      })
  })
}
