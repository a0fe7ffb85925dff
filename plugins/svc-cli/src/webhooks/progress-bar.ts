/** How far a job is: a bar that redraws itself on a terminal, elsewhere a plain line whenever a tenth more is done. */
import type { WriteStream } from 'node:tty'

const WIDTH = 30

export class ProgressBar {
  readonly #stream: Pick<WriteStream, 'write' | 'isTTY'>
  #tenth = -1
  #drawn = false

  constructor(stream: Pick<WriteStream, 'write' | 'isTTY'>) {
    this.#stream = stream
  }

  show(done: number, total: number): void {
    const part = total === 0 ? 0 : done / total
    if (this.#stream.isTTY) {
      const filled = Math.round(part * WIDTH)
      this.#stream.write(`\r[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done}/${total}`)
      this.#drawn = true
      return
    }
    const tenth = Math.floor(part * 10)
    if (tenth === this.#tenth) return
    this.#tenth = tenth
    this.#stream.write(`${done}/${total}\n`)
  }

  end(): void {
    if (this.#drawn) this.#stream.write('\n')
  }
}
