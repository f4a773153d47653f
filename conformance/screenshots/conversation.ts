/** A room of the community in the pictures. */
export interface Place {
  readonly alias: string;
  readonly name: string;
  readonly topic: string;
  readonly isPublic: boolean;
  readonly encrypted?: boolean;
  /** Every how many of the people are in it; 1 for all. */
  readonly every: number;
}

/** The rooms; the first one is where everyone is. */
export const PLACES: readonly Place[] = [
  { alias: 'square', name: 'Harbour square', topic: 'For everyone. Be kind.', isPublic: true, every: 1 },
  { alias: 'boats', name: 'Boats and berths', topic: 'Moorings, repairs, crews', isPublic: true, every: 2 },
  { alias: 'kitchen', name: 'Community kitchen', topic: 'Thursdays at seven', isPublic: true, every: 2 },
  { alias: 'repair', name: 'Repair café', topic: 'Bring it, we look at it', isPublic: true, every: 3 },
  { alias: 'choir', name: 'Choir', topic: 'Rehearsals and sheet music', isPublic: true, every: 3 },
  { alias: 'garden', name: 'Roof garden', topic: 'Who waters when', isPublic: true, every: 4 },
  { alias: 'photos', name: 'Photo walks', topic: 'Pictures of the harbour', isPublic: true, every: 3 },
  { alias: 'children', name: 'Parents and children', topic: '', isPublic: false, every: 4 },
  { alias: 'crew', name: 'Event crew', topic: 'Summer festival', isPublic: false, encrypted: true, every: 5 },
  { alias: 'moderators', name: 'Moderators', topic: '', isPublic: false, encrypted: true, every: 13 },
];

/** What is said, over and over. */
export const SENTENCES: readonly string[] = [
  'Good morning, harbour!',
  'The ferry is ten minutes late today.',
  'Who has the key to the workshop?',
  'I can bring bread on Thursday.',
  'Δύο ακόμα θέσεις στη βάρκα για το Σάββατο.',
  'The tide is at its highest at 18:40.',
  'Завтра репетиція о сьомій.',
  'Thank you for yesterday, that was lovely.',
  'Does anyone have a 13 mm socket?',
  'هل يوجد مكان شاغر في الحديقة؟',
  'Pictures of the regatta are in the album.',
  'מי מגיע היום למטבח?',
  'The printer works again.',
  'Kommt jemand mit zum Markt?',
  'I am on watering duty this week.',
  'On se retrouve devant la capitainerie ?',
  'We need two more hands for the stage.',
  'There is soup left, come over!',
];
