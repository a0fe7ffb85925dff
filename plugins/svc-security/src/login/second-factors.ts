/** The second factors of this application: each says for whom it is enrolled, and a login asks them all. */

export interface SecondFactor {
  /** As the answer of a login names it: `totp`. */
  readonly method: string
  isEnrolled(identifier: string): boolean | Promise<boolean>
}

export class SecondFactors {
  readonly #factors: SecondFactor[] = []

  /** Called while the application boots. */
  register(factor: SecondFactor): void {
    this.#factors.push(factor)
  }

  /** The methods that a user must still pass, in order of registration; a factor that cannot answer lets nobody past. */
  async required(identifier: string): Promise<string[]> {
    const enrolled = await Promise.all(this.#factors.map((factor) => factor.isEnrolled(identifier)))
    return this.#factors.filter((_, index) => enrolled[index]).map(({ method }) => method)
  }
}
