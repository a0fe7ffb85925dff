/** A promise that a test settles when it is time. */
export class HeldPromise<Value> {
  readonly promise: Promise<Value>
  #settle: { resolve: (value: Value) => void; reject: (error: Error) => void } | null = null

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  resolve(value: Value): void {
    this.#settle?.resolve(value)
  }

  reject(error: Error): void {
    this.#settle?.reject(error)
  }
}
