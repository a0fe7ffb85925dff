/**
 * What an application runs as whose config does not say: the one place beside an application's own catalogue that reads
 * `NODE_ENV`. Whatever is not development or test is production.
 */
import type { Mode } from './define-config.ts'

export function runningMode(): Mode {
  const { NODE_ENV } = process.env
  return NODE_ENV === 'development' || NODE_ENV === 'test' ? NODE_ENV : 'production'
}
