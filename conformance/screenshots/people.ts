/** A member of the community in the pictures. None of them exists. */
export interface Person {
  readonly name: string;
  readonly displayName: string;
  /** How many days ago the account was created. */
  readonly joined: number;
  /** How much they write, in relation to others; 1 when unset. Those who write nothing sign in only once. */
  readonly writes?: number;
}

/** Who administers the server, and in whose session the pictures are taken. */
export const ADMINISTRATOR = { name: 'marta', displayName: 'Marta', joined: 30 } as const satisfies Person;
/** Who decides about reports with her. */
export const MODERATOR = { name: 'ines', displayName: 'Inês', joined: 30 } as const satisfies Person;
/** Who floods the rooms. */
export const SPAMMER = {
  name: 'bargains4u',
  displayName: '★ BARGAINS 4 U ★',
  joined: 1,
  writes: 0,
} as const satisfies Person;
/** Who is rude. */
export const RUDE = {
  name: 'captain_grump',
  displayName: 'Captain Grump',
  joined: 11,
} as const satisfies Person;

/** Everyone, in scripts that the free fonts of a small machine have. */
export const PEOPLE: readonly Person[] = [
  ADMINISTRATOR,
  MODERATOR,
  { name: 'jonas', displayName: 'Jonas', joined: 30, writes: 2 },
  { name: 'elif', displayName: 'Elif', joined: 30, writes: 2 },
  { name: 'dimitra', displayName: 'Δήμητρα', joined: 30 },
  { name: 'oleksandr', displayName: 'Олександр', joined: 30, writes: 2 },
  { name: 'yusuf', displayName: 'يوسف', joined: 30 },
  { name: 'noa', displayName: 'נועה', joined: 30 },
  { name: 'bjork', displayName: 'Bjørk', joined: 30, writes: 2 },
  { name: 'tomasz', displayName: 'Tomasz', joined: 30 },
  { name: 'anahit', displayName: 'Անահիտ', joined: 30 },
  { name: 'nino', displayName: 'ნინო', joined: 30 },
  { name: 'zofia', displayName: 'Zofia', joined: 29 },
  { name: 'luc', displayName: 'Luc', joined: 29 },
  { name: 'svitlana', displayName: 'Світлана', joined: 28 },
  { name: 'mehmet', displayName: 'Mehmet', joined: 27 },
  { name: 'chloe', displayName: 'Chloé', joined: 26 },
  { name: 'giannis', displayName: 'Γιάννης', joined: 25 },
  { name: 'amina', displayName: 'أمينة', joined: 24 },
  { name: 'per', displayName: 'Per', joined: 23 },
  { name: 'dunja', displayName: 'Dunja', joined: 22 },
  { name: 'tamar', displayName: 'תמר', joined: 20 },
  { name: 'vesna', displayName: 'Весна', joined: 19 },
  { name: 'kaspar', displayName: 'Kaspar', joined: 18 },
  { name: 'linh', displayName: 'Linh', joined: 16 },
  { name: 'ragna', displayName: 'Ragna', joined: 15, writes: 0 },
  { name: 'pavel', displayName: 'Павел', joined: 14, writes: 0 },
  { name: 'sena', displayName: 'Sena', joined: 13 },
  { name: 'hovik', displayName: 'Հովիկ', joined: 12, writes: 0 },
  RUDE,
  { name: 'freya', displayName: 'Freya', joined: 10 },
  { name: 'omar', displayName: 'عمر', joined: 9 },
  { name: 'milo', displayName: 'Milo', joined: 8, writes: 0 },
  { name: 'eleni', displayName: 'Ελένη', joined: 6 },
  { name: 'ruta', displayName: 'Rūta', joined: 5 },
  { name: 'joao', displayName: 'João', joined: 4 },
  { name: 'ketevan', displayName: 'ქეთევანი', joined: 3 },
  { name: 'sven', displayName: 'Sven', joined: 2 },
  SPAMMER,
];

/** Accounts of programs. */
export const BOTS: readonly Person[] = [
  { name: 'tide-table', displayName: 'Tide table', joined: 30 },
  { name: 'weather', displayName: 'Weather', joined: 30 },
];

/** Who has registered and waits for approval. */
export const APPLICANTS: readonly string[] = ['lea', 'matti', 'stefania'];

/** The password of everyone. */
export const PASSWORD = 'a long walk along the harbour';
