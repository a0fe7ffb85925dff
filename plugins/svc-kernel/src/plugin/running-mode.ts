/**
 * What an application runs as whose config does not say: the one place beside an application's own catalogue that reads
 * `NODE_ENV`. Whatever is not development or test is production.
 */

/** Development shows causes and readable logs; production hides them; test is silent. */
export type Mode = 'development' | 'production' | 'test'

export function runningMode(): Mode {
  const { NODE_ENV } = process.env
  return NODE_ENV === 'development' || NODE_ENV === 'test' ? NODE_ENV : 'production'
}
