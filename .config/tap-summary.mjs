/**
 * Reads tap's output line by line: a passing file becomes one line, a failing file is shown with its failures only,
 * and the totals at the end become `N passed, N failed`.
 */
const uninteresting = /^\s*(?:$|ok \d+|# Subtest|# time=|1\.\.\d)/

export class TapSummary {
  #print
  #insideFile = []
  #afterFailure = false
  #totals = null

  /** `print` receives each line that a person should see. */
  constructor(print) {
    this.#print = print
  }

  line(line) {
    if (line.startsWith('ok ')) this.#filePassed(line)
    else if (line.startsWith('not ok ')) this.#fileFailed(line)
    else if (line.startsWith('# Subtest: ')) this.#afterFailure = false
    else if (line.startsWith('# { total: ')) this.#totals = line
    else if (line.startsWith('Bail out!') || (this.#afterFailure && line.startsWith('  '))) this.#print(line)
    else if (line.startsWith('    ')) this.#insideFile.push(line)
  }

  /** What the run came to. A run that ended badly, or ran nothing, counts as a failure even if tap did not say so. */
  counts(exitCode) {
    const number = (name) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(this.#totals ?? '')?.[1] ?? 0)
    const endedBadly = exitCode !== 0 || number('total') === 0
    return {
      passed: number('pass'),
      failed: Math.max(number('fail'), endedBadly ? 1 : 0),
      skipped: number('skip') + number('todo')
    }
  }

  #filePassed(line) {
    this.#print(`  ${line.replace(/^ok \d+ - /, '').replace(/ # time=(.*)$/, ' ($1)')}`)
    this.#insideFile = []
    this.#afterFailure = false
  }

  #fileFailed(line) {
    this.#print(line)
    for (const inner of this.#insideFile) if (!uninteresting.test(inner)) this.#print(inner)
    this.#insideFile = []
    this.#afterFailure = true
  }
}

/** `12 passed, 0 failed`, with the skipped ones named only when there are any. */
export function describeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
