/** What rounds are timed by. */

/** Microseconds of the CPU time of this process: for a database inside it, as other programs then disturb little. */
export function cpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Microseconds on the clock: for a database in a process of its own. */
export function wall(): number {
  return performance.now() * 1000
}
