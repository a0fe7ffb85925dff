/** svc-docdb-embedded */
export {}
