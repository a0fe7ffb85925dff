/** What stands where the throttle is switched off: every attempt passes. */
import type { LoginThrottler } from './login-throttler.ts'

const pass = () => Promise.resolve()

export const NO_THROTTLE: Pick<LoginThrottler, 'check' | 'failed' | 'succeeded' | 'released'> = Object.freeze({
  check: pass,
  failed: pass,
  succeeded: pass,
  released: pass
})
