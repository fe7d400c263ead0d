/** The language of the console's texts and formats: English with the day before the month. index.html has it as `lang`. */
export const LOCALE = "en-GB";
