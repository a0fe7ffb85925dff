/**
 * Reads tap's output line by line: a passing file becomes one line, a failing file is shown with its failures only,
 * and the totals at the end become `N passed, N failed`. Every test that failed is named once more before them. The
 * files of a group stand one level deeper; they are told as if each had run by itself.
 */
import { isGroup } from './test-groups.mjs'

const uninteresting = /^\s*(?:$|ok \d+|# Subtest|# time=|1\.\.\d)/
const notOk = /^( *)not ok(?: \d+)?(?: - (.*))?$/

export class TapSummary {
  #print
  #insideFile = []
  #afterFailure = false
  #totals = null
  #failures = []
  #files = new Set()
  #group = null

  /** `print` receives each line that a person should see. */
  constructor(print) {
    this.#print = print
  }

  /** The files that came to an end, well or badly. */
  get files() {
    return this.#files
  }

  line(line) {
    if (line.startsWith('# Subtest: ') && isGroup(line.slice(11))) {
      this.#group = { files: this.#files.size, failures: this.#failures.length }
    }
    if (this.#group !== null && line.startsWith('    ')) this.#fileLine(line.slice(4))
    else if (this.#group !== null && /^(?:not )?ok /.test(line)) this.#groupEnds(line)
    else this.#fileLine(line)
  }

  #fileLine(line) {
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
      skipped: number('skip') + number('todo'),
      failures: this.#failures
    }
  }

  /** A group may fail where none of its files did: something in its process came after them. */
  #groupEnds(line) {
    const { files, failures } = this.#group
    this.#group = null
    if (line.startsWith('ok ') || this.#failures.length > failures) return
    this.#fileFailed(`not ok - the process of ${[...this.#files].slice(files).join(', ')}`)
  }

  #filePassed(line) {
    this.#files.add(nameOf(line))
    this.#print(`  ${line.replace(/^ok \d+ - /, '').replace(/ # time=(.*)$/, ' ($1)')}`)
    this.#insideFile = []
    this.#afterFailure = false
  }

  #fileFailed(line) {
    this.#files.add(nameOf(line))
    this.#print(line)
    for (const inner of this.#insideFile) if (!uninteresting.test(inner)) this.#print(inner)
    this.#failures.push(...failedIn([...this.#insideFile, line]))
    this.#insideFile = []
    this.#afterFailure = true
  }
}

function nameOf(line) {
  return line.replace(/^(?:not )?ok(?: \d+)?(?: - )?/, '').replace(/ # time=.*$/, '')
}

/** `a.test.js > test > assertion` for each innermost failure: what is inside a test comes before the test itself. */
function failedIn(lines) {
  let waiting = []
  for (const line of lines) {
    const found = notOk.exec(line)
    if (found === null || /# (?:todo|skip)/i.test(line)) continue
    const depth = found[1].length
    const name = (found[2] ?? 'without a name').replace(/ # time=.*$/, '')
    const inside = waiting.filter((one) => one.depth > depth)
    const paths = inside.length === 0 ? [name] : inside.map(({ path }) => `${name} > ${path}`)
    waiting = [...waiting.filter((one) => one.depth <= depth), ...paths.map((path) => ({ depth, path }))]
  }
  return waiting.map(({ path }) => path)
}

/** What two runs came to together. */
export function addCounts(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures]
  }
}

/** `12 passed, 0 failed`, with the skipped ones named only when there are any. */
export function describeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
