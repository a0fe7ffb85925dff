/** Colours where a person looks: on a terminal that wants them, nowhere else. */
import { styleText } from 'node:util'
import type { Paint } from '../problems/format-problem.ts'

/** `styleText` itself honours NO_COLOR, FORCE_COLOR and whether the stream is a terminal. */
export function terminalPaint(stream: NodeJS.WritableStream): Paint {
  return (style, text) => styleText(style, text, { stream, validateStream: true })
}
