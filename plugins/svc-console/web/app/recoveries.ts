/** Counts the outages that are over: what failed meanwhile is read again. */
import { signal } from '@preact/signals'

export const recoveries = signal(0)
